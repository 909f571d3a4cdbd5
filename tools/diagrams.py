#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws the diagrams of the documents: docs/pictures/*.svg.

usage: tools/diagrams.py [FOLDER], docs/pictures unless it is given

Every picture is a function below, with its coordinates in pixels. A picture has a white card as its background, so that it is
readable on light and on dark pages. A text that is too long for its box is an error. The test diagrams_are_current compares
the files with what is drawn; `make diagrams` mends what it finds.
"""
import html
import math
import pathlib
import random
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

INK, FAINT, LINE, PAPER = "#1f2933", "#52606d", "#7b8794", "#ffffff"
TEAL, TEAL_PALE = "#0b6e75", "#e0f2f1"
BLUE, BLUE_PALE = "#2f5d9b", "#e3edf9"
AMBER, AMBER_PALE = "#9a5b00", "#fdf0d9"
RED, RED_PALE = "#b3261e", "#fbe4e2"
GREY_PALE = "#f2f4f7"
PALE = {TEAL: TEAL_PALE, BLUE: BLUE_PALE, AMBER: AMBER_PALE, RED: RED_PALE, LINE: GREY_PALE, FAINT: PAPER}

NARROW = {c: w for w, cs in {222: "ijl'|", 278: " .,:;!/[]ft()-I", 333: "r\"*", 500: "ckszvxyJ", 584: "=+<>~×→≥±", 667: "ABEKPSVXY&",
                             722: "CDHNRUw", 778: "GOQ", 833: "mM", 944: "W", 1000: "…"}.items() for c in cs}


def width_of(text, size, weight="", family=""):
    """The width of a text in Arial, or a little more. Other fonts are up to a tenth wider."""
    each = [600 if "mono" in family else NARROW.get(c, 556) for c in text]
    return sum(each) * size / 1000 * (1.07 if weight else 1.0)


class Picture:
    def __init__(self, width, height, about):
        self.width, self.height, self.about, self.parts, self.wrong = width, height, about, [], []

    def add(self, tag, content=None, **attributes):
        said = "".join(f' {key.rstrip("_").replace("_", "-")}="{self.attribute(value)}"' for key, value in attributes.items() if value not in (None, ""))
        self.parts.append(f"<{tag}{said}/>" if content is None else f"<{tag}{said}>{content}</{tag}>")

    @staticmethod
    def attribute(value):
        return f"{value:.1f}".removesuffix(".0") if isinstance(value, float) else html.escape(str(value))

    def text(self, x, y, text, size=14, anchor="start", weight="", fill=INK, family="", room=None):
        """y is the base line. room: how wide it may be."""
        if room is not None and 1.08 * width_of(text, size, weight, family) > room:
            self.wrong.append(f"{text!r} is {width_of(text, size, weight, family):.0f} wide, and there is room for {room:.0f}")
        self.add("text", html.escape(text, quote=False), x=x, y=y, font_size=size, text_anchor=anchor if anchor != "start" else None,
                 font_weight=weight, fill=fill if fill != INK else None, font_family="monospace" if family else None)

    def lines(self, x, y, texts, size=13, gap=None, **how):
        for i, text in enumerate(texts):
            self.text(x, y + i * (gap or size + 5), text, size, **how)

    def box(self, x, y, w, h, texts, colour=LINE, size=14, fill=None, dash=None, radius=8):
        """Lines in the middle of a rectangle. `*` before one makes it bold, `'` small and faint, backquotes code."""
        self.add("rect", x=x, y=y, width=w, height=h, rx=radius, fill=fill or PALE[colour], stroke=colour, stroke_width=1.5, stroke_dasharray=dash)
        texts = [texts] if isinstance(texts, str) else texts
        sizes = [size - 1 if text[:1] in "'`" and size > 13 else size for text in texts]
        top = y + (h - sum(s + 6 for s in sizes)) / 2
        for text, s in zip(texts, sizes):
            weight, family = ("bold", "") if text.startswith("*") else ("", "mono") if text.startswith("`") else ("", "")
            fill = FAINT if text.startswith("'") else colour if weight and colour not in (LINE, FAINT) else INK
            self.text(x + w / 2, top + s, text.lstrip("*'`"), max(s, 12), "middle", weight, fill, family, room=w - 8)
            top += s + 6

    def arrow(self, *points, colour=FAINT, dash=None, both=False, width=1.8):
        """A line through the points, with a head at its end."""
        path = "M" + " L".join(f"{self.attribute(float(x))} {self.attribute(float(y))}" for x, y in points)
        self.add("path", d=path, fill="none", stroke=colour, stroke_width=width, stroke_dasharray=dash, stroke_linejoin="round")
        self.head(points[-2], points[-1], colour)
        if both:
            self.head(points[1], points[0], colour)

    def head(self, before, tip, colour, size=8.0):
        angle = math.atan2(tip[1] - before[1], tip[0] - before[0])
        corners = [tip] + [(tip[0] - size * math.cos(angle + side), tip[1] - size * math.sin(angle + side)) for side in (0.45, -0.45)]
        self.add("path", d="M" + " L".join(f"{x:.1f} {y:.1f}" for x, y in corners) + " Z", fill=colour)

    def step(self, x, y, number, colour=TEAL):
        self.add("circle", cx=x, cy=y, r=11, fill=colour)
        self.text(x, y + 4.5, str(number), 13, "middle", "bold", PAPER)

    def svg(self):
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{self.width}" height="{self.height}" viewBox="0 0 {self.width} {self.height}" '
            f'role="img" font-family="Arial, Helvetica, \'Liberation Sans\', sans-serif" fill="{INK}">'
        )
        card = f'<rect x="0.5" y="0.5" width="{self.width - 1}" height="{self.height - 1}" rx="10" fill="{PAPER}" stroke="#cbd2d9"/>'
        return "\n".join([head, f"<title>{html.escape(self.about, quote=False)}</title>", card, *self.parts, "</svg>"]) + "\n"


# ---- the loop ----------------------------------------------------------------------------------------------------------


def loop():
    p = Picture(860, 356, "Your application asks posse for a decision; a selector picks a learner, the learner picks an arm; later the reward teaches both.")
    p.box(24, 76, 170, 130, ["*Your application", "'a web shop, a game,", "'a scheduler"], BLUE, 15)
    p.box(24, 266, 170, 56, ["A visitor", "'sees arm 3, clicks or not"], LINE, 14)
    p.arrow((84, 206), (84, 266), colour=BLUE)
    p.arrow((134, 266), (134, 206), colour=BLUE)

    p.box(330, 24, 506, 222, "", FAINT, dash="5 4", fill="#fbfcfd")
    p.text(346, 46, "posse", 15, weight="bold", fill=FAINT)
    p.box(356, 96, 130, 62, ["*Selector", "'B-MS+"], TEAL, 15)
    p.text(614, 56, "Learners", 14, "middle", "bold")
    for i, name in enumerate(["ucb", "thompson", "your learner"]):
        p.box(554, 68 + 46 * i, 120, 36, name, TEAL if i == 1 else LINE, 14)
    p.text(774, 56, "Arms", 14, "middle", "bold")
    for i in range(5):
        p.box(742, 66 + 30 * i, 64, 24, f"arm {i}", TEAL if i == 3 else LINE, 13, radius=5)

    p.arrow((194, 112), (356, 112), colour=TEAL)
    p.step(216, 112, 1)
    p.text(234, 104, "decide", 14, weight="bold", fill=TEAL)
    p.arrow((486, 127), (554, 132), colour=TEAL)
    p.step(518, 129, 2)
    p.arrow((674, 132), (742, 168), colour=TEAL)
    p.step(706, 149, 3)
    p.arrow((774, 216), (774, 232), (264, 232), (264, 160), (194, 160), colour=TEAL)
    p.step(236, 160, 4)
    p.text(400, 226, "play arm 3, and keep the token", 14, fill=TEAL, weight="bold")
    p.arrow((194, 190), (228, 190), (228, 300), (560, 300), (560, 246), colour=AMBER)
    p.step(228, 244, 5, AMBER)
    p.text(246, 291, "reward: 1 for a click, 0 for none", 14, weight="bold", fill=AMBER)
    p.text(246, 320, "now, or days later, in any order", 14, fill=AMBER)
    p.text(576, 282, "teaches the selector's belief", 14, fill=AMBER)
    p.text(576, 302, "and the learners", 14, fill=AMBER)
    return p


# ---- one round of B-MS -------------------------------------------------------------------------------------------------

PLAYS = {"cautious": (38, 60, 8, 40), "bold": (6, 20, 16, 100), "dice": (4, 38, 4, 106)}  # of each arm, by each learner
CLICKS = {"A": 2, "B": 11, "C": 4, "D": 40}
# Posteriors after these, from the prior Beta(1, 15).
ARMS = {arm: (1 + clicks, 15 + sum(plays[i] for plays in PLAYS.values()) - clicks) for i, (arm, clicks) in enumerate(CLICKS.items())}


def density(a, b, x):
    return math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + (a - 1) * math.log(x) + (b - 1) * math.log(1 - x))


def one_draw():
    """A value of each arm from its posterior, with two digits, so that readers can follow the sums."""
    draw = random.Random(1)
    return {arm: round(draw.betavariate(a, b), 2) for arm, (a, b) in ARMS.items()}


def charges(world):
    """The regret that each learner's past plays would have in that world."""
    best = max(world.values())
    return {name: sum(n * (best - value) for n, value in zip(plays, world.values())) for name, plays in PLAYS.items()}


def bms_round():
    world = one_draw()
    best, owed = max(world, key=world.get), charges(world)
    chosen = min(owed, key=owed.get)
    p = Picture(880, 404, "One round of B-MS: posterior curves of four arms, one draw from each, the charge of each learner, and the learner with the smallest charge plays.")
    left, right, most = 66, 350, 0.42
    at = lambda value: left + value / most * (right - left)

    p.step(32, 32, 1)
    p.text(50, 37, "The belief about each arm", 15, weight="bold")
    p.step(32, 58, 2, AMBER)
    p.text(50, 63, "One draw from each", 15, weight="bold", fill=AMBER)
    tops = dict(zip(ARMS, (136, 202, 268, 334)))
    for arm, (a, b) in ARMS.items():
        base = tops[arm]
        xs = [0.001 + most * i / 140 for i in range(141)]
        height = 46 / max(density(*ARMS["D"], x) for x in xs)
        curve = " ".join(f"L{at(x):.1f} {base - height * density(a, b, x):.1f}" for x in xs)
        p.add("path", d=f"M{left} {base} {curve} L{right} {base} Z", fill=TEAL_PALE, stroke=TEAL, stroke_width=1.5)
        p.text(28, base - 4, f"arm {arm}", 14, weight="bold" if arm == best else "")
        x = at(world[arm])
        p.add("line", x1=x, y1=base - 56, x2=x, y2=base, stroke=AMBER, stroke_width=2)
        p.add("circle", cx=x, cy=base, r=5, fill=AMBER)
        p.text(x + 6, base - 49, f"{world[arm]:.2f}" + (" best" if arm == best else ""), 13, fill=AMBER, weight="bold")
    p.text(left, 364, "0", 12, "middle", fill=FAINT)
    for tick in (0.1, 0.2, 0.3, 0.4):
        p.text(at(tick), 364, f"{tick:.1f}", 12, "middle", fill=FAINT)
        p.add("line", x1=at(tick), y1=334, x2=at(tick), y2=350, stroke="#cbd2d9")
    p.text((left + right) / 2, 386, "clicks a visit", 13, "middle", fill=FAINT)

    p.arrow((366, 190), (396, 190), width=2.5)
    p.step(424, 32, 3)
    p.text(442, 37, "The charge of each learner: what its past plays", 15, weight="bold")
    p.text(442, 57, "would have lost if the draw were true", 15, weight="bold")
    scale = 250 / max(owed.values())
    for i, (name, plays) in enumerate(PLAYS.items()):
        y, colour = 106 + 74 * i, TEAL if name == chosen else LINE
        p.text(420, y, name, 14, weight="bold", fill=colour if name == chosen else INK)
        p.text(492, y, "played " + ", ".join(f"{arm} {n}×" for arm, n in zip(ARMS, plays)), 13, fill=FAINT)
        p.add("rect", x=420, y=y + 10, width=owed[name] * scale, height=24, rx=4, fill=PALE[colour] if colour == LINE else TEAL, stroke=colour)
        p.text(420 + owed[name] * scale + 10, y + 27, f"{owed[name]:.1f} clicks", 14, weight="bold" if name == chosen else "")
    p.step(424, 338, 4)
    p.text(442, 343, f"The shortest bar plays: {chosen} picks the arm.", 15, weight="bold")
    p.text(442, 367, f"One play of arm D is charged {world[best]:.2f} - {world['D']:.2f} = {world[best] - world['D']:.2f} clicks.", 13, fill=FAINT)
    return p


# ---- the life of a decision --------------------------------------------------------------------------------------------


def decision():
    p = Picture(880, 452, "The life of a decision: it is pending until it is learned, forgotten or expired; a crash may lose it; what a late reward is answered in each state.")
    p.box(24, 70, 110, 56, ["*decide", "'id or token"], BLUE, 15)
    p.box(204, 58, 150, 80, ["*PENDING", "'waits for its reward"], AMBER, 15)
    p.arrow((134, 98), (204, 98))
    ends = [("learn", "*LEARNED", "'teaches the belief and the learners", TEAL), ("forget", "*FORGOTTEN", "'nothing is learned", FAINT),
            ("expire", "*EXPIRED", "'forgotten, or a reward you set", FAINT)]
    p.arrow((354, 82), (430, 52), (560, 52))
    p.arrow((354, 98), (560, 116))
    p.arrow((354, 114), (430, 180), (560, 180))
    for y, (verb, name, said, colour) in zip((24, 88, 152), ends):
        p.box(560, y, 296, 54, [name, said], colour if colour == TEAL else LINE, 15)
    p.text(444, 44, "learn(reward)", 14, weight="bold")
    p.text(444, 100, "forget", 14, weight="bold")
    p.text(444, 172, "expire_after", 14, weight="bold")
    p.arrow((279, 138), (279, 190), colour=RED, dash="6 4")
    p.box(204, 190, 150, 46, ["*LOST"], RED, 15)
    p.text(30, 180, "a crash before", 13, fill=RED)
    p.text(30, 198, "it was saved", 13, fill=RED)
    p.arrow((126, 186), (272, 168), colour=RED, dash="2 3", width=1.2)

    p.text(24, 278, "A reward arrives. The answer, by state:", 15, weight="bold")
    columns = [24, 330, 560, 690]
    rows = [
        ("state", "C, Python", "HTTP", "Redis"),
        ("pending", "learned", "200", "1"),
        ("learned, and the same reward again", "SETTLED", "200, learned once", "0"),
        ("learned, and another reward", "SETTLED", "409", "CONFLICT *"),
        ("forgotten", "SETTLED", "409", "CONFLICT *"),
        ("expired", "SETTLED", "409", "0"),
        ("lost", "UNKNOWN", "409", "LOST"),
    ]
    for i, row in enumerate(rows):
        y = 300 + 19 * i
        if i % 2:
            p.add("rect", x=18, y=y - 14, width=844, height=19, fill=GREY_PALE)
        for x, cell, to in zip(columns, row, [*columns[1:], 870]):
            code = i > 0 and cell.split()[0].isupper()
            p.text(x, y, cell, 13, weight="bold" if i == 0 else "", fill=RED if row[0] == "lost" and x > 24 else INK, family="mono" if code else "", room=to - x)
    p.text(24, 440, "C: POSSE_ERROR_…; Python: DecisionError.  * Redis remembers the last 64 settled decisions of a posse, and answers 0 for earlier ones.", 12, fill=FAINT, room=850)
    return p


# ---- a crash -----------------------------------------------------------------------------------------------------------


def crash():
    p = Picture(880, 330, "A crash: decisions after the last save are lost; after loading, new decisions have a new epoch, and a late reward for a lost decision is refused.")
    y = 128
    p.add("rect", x=40, y=y - 10, width=470, height=20, fill=BLUE_PALE)
    p.add("rect", x=620, y=y - 10, width=236, height=20, fill=TEAL_PALE)
    p.arrow((30, y), (864, y), width=2)
    p.text(44, y + 34, "epoch 0", 14, weight="bold", fill=BLUE)
    p.text(626, y + 34, "epoch 1734…, drawn at random", 13, weight="bold", fill=TEAL, room=232)
    for x, name in ((90, "decision 1"), (200, "decision 2"), (390, "decision 3")):
        lost = name.endswith("3")
        p.add("circle", cx=x, cy=y, r=7, fill=RED if lost else BLUE)
        p.text(x, y - 22, name, 13, "middle", fill=RED if lost else INK)
    p.box(252, y - 96, 92, 46, ["*save", "'1, 2 pending"], BLUE, 14)
    p.arrow((298, y - 50), (298, y - 4))
    p.text(510, y - 44, "kill", 15, "middle", "bold", RED)
    p.add("path", d=f"M500 {y - 12} L520 {y + 12} M520 {y - 12} L500 {y + 12}", stroke=RED, stroke_width=4)
    p.box(574, y - 96, 92, 46, ["*load", "'1, 2 pending"], TEAL, 14)
    p.arrow((620, y - 50), (620, y - 4))
    p.add("circle", cx=742, cy=y, r=7, fill=TEAL)
    p.text(742, y - 40, "the third decision,", 13, "middle")
    p.text(742, y - 22, "with another id", 13, "middle")

    p.arrow((200, y + 12), (200, 216), (232, 216), dash="4 4", colour=BLUE)
    p.box(232, 192, 250, 48, ["a late reward for decision 2", "'is learned: it was in the saved state"], BLUE, 13)
    p.arrow((390, y + 12), (390, 176), (540, 176), (540, 216), (560, 216), dash="4 4", colour=RED)
    p.box(560, 192, 296, 48, ["a late reward for decision 3 is refused", "'and never teaches the new third decision"], RED, 13)
    p.box(232, 262, 624, 50, "", LINE)
    p.text(246, 283, "Lost:  C UNKNOWN · HTTP 409 · Redis LOST.", 13, weight="bold")
    p.text(246, 302, "The server and Redis (appendfsync always) write before they answer: a kill loses nothing.", 12, fill=FAINT, room=606)
    return p


# ---- surfaces ----------------------------------------------------------------------------------------------------------


def surfaces():
    p = Picture(880, 372, "Four surfaces on one engine: in your process, over HTTP, in Redis, and experiments; each with where its state is stored.")
    columns = [
        ("*In your process", ["C, C++, Python"], "`p.decide()", ["*You store it", "'bytes of posse_save,", "'wherever you like"], BLUE),
        ("*posse serve", ["HTTP and JSON,", "any language"], "`POST …/decide", ["*posse.db", "'SQLite, on disk before", "'each answer"], TEAL),
        ("*posse_redis.so", ["commands of Redis,", "any client"], "`POSSE.DECIDE ads", ["*A key in Redis", "'its log, snapshots", "'and replicas"], AMBER),
        ("*posse run", ["experiments", "from YAML files"], "`posse run ads.yaml", ["*A folder of results", "'CSV, HDF5, pictures,", "'a page"], LINE),
    ]
    for i, (name, said, call, stored, colour) in enumerate(columns):
        x = 24 + 212 * i
        p.box(x, 24, 196, 92, [name, *["'" + line for line in said], call], colour, 15)
        p.arrow((x + 98, 116), (x + 98, 152), both=True)
        p.arrow((x + 98, 222), (x + 98, 262))
        p.box(x, 262, 196, 84, stored, colour, 15, fill=PAPER)
    p.box(24, 152, 832, 70, ["*libposse: selectors, learners, beliefs", "'The same decisions, bit for bit, from the same seed and rewards"], FAINT, 16, fill=GREY_PALE)
    p.text(130, 246, "stores", 12, fill=FAINT)
    return p


# ---- deployment --------------------------------------------------------------------------------------------------------


def deployment():
    p = Picture(880, 440, "Two deployments: clients, a proxy with TLS, a Unix socket, posse serve, its database and a backup; and application servers, Redis with the module, a replica, and Sentinel or a cluster.")
    p.text(24, 36, "With posse serve", 16, weight="bold", fill=TEAL)
    p.box(24, 64, 130, 62, ["*Clients", "'any language"], BLUE, 15)
    p.box(230, 64, 130, 62, ["*Proxy", "'nginx, haproxy"], LINE, 15)
    p.box(470, 64, 140, 62, ["*posse serve", "'one process"], TEAL, 15)
    p.box(690, 52, 166, 86, ["*posse.db", "*posse.db-wal", "'on a local disk"], TEAL, 15, fill=PAPER)
    p.arrow((154, 95), (230, 95), colour=BLUE)
    p.text(192, 85, "TLS", 13, "middle", fill=BLUE)
    p.arrow((360, 95), (470, 95))
    p.text(415, 85, "Unix socket", 13, "middle", fill=FAINT)
    p.arrow((610, 95), (690, 95), colour=TEAL)
    p.text(650, 85, "commit", 13, "middle", fill=TEAL)
    p.box(690, 172, 166, 46, ["*backup.db"], LINE, 15, fill=PAPER)
    p.arrow((773, 138), (773, 172))
    p.text(764, 160, "VACUUM INTO", 12, "end", fill=FAINT)
    p.box(470, 172, 140, 46, ["Prometheus"], LINE, 14)
    p.arrow((540, 172), (540, 126))
    p.text(532, 154, "/metrics", 12, "end", fill=FAINT)
    p.add("line", x1=24, y1=244, x2=856, y2=244, stroke="#cbd2d9")

    p.text(24, 276, "With Redis", 16, weight="bold", fill=AMBER)
    for i in range(3):
        p.box(24 + 8 * i, 300 + 8 * i, 150, 56, ["*Application", "*servers"] if i == 2 else "", BLUE, 15)
    p.box(300, 296, 180, 76, ["*Redis, master", "`posse_redis.so", "'appendonly yes"], AMBER, 15)
    p.box(620, 296, 180, 76, ["*Redis, replica", "`posse_redis.so", "'takes over"], AMBER, 15, fill=PAPER)
    p.arrow((190, 334), (300, 334), colour=BLUE)
    p.text(245, 324, "POSSE.TURN", 12, "middle", fill=BLUE)
    p.arrow((480, 334), (620, 334), colour=AMBER)
    p.text(550, 324, "replication", 13, "middle", fill=AMBER)
    p.box(420, 396, 260, 30, "Sentinel, or a cluster: promotes", LINE, 13)
    p.arrow((460, 396), (420, 372))
    p.arrow((640, 396), (680, 372))
    return p


# ---- choosing ----------------------------------------------------------------------------------------------------------


def choosing():
    p = Picture(880, 640, "Five questions in order: do you need posse, which surface, arms or features, which belief, which selector.")
    rows = [
        (24, "Do you|need posse?", [("one model that you trust", ["*that model alone"], LINE), ("an effect size with an interval", ["*an A/B test"], LINE),
                                    ("several that learn, and rewards", ["*posse"], TEAL)]),
        (148, "Which|surface?", [("one process", ["*the library", "'C, C++, Python"], TEAL), ("several processes", ["*posse serve", "'HTTP, one SQLite file"], TEAL),
                                 ("Redis already", ["*posse_redis.so", "'replicas, clusters"], TEAL), ("a question of research", ["*posse run", "'YAML files"], TEAL)]),
        (272, "What is|an arm?", [("a few things", ["*arms: the things", "'learners: algorithms"], BLUE), ("tastes differ", ["*arms with features", "'learners: models"], BLUE),
                                  ("a few fixed rules", ["*arms: the rules", "'learner: thompson"], BLUE)]),
        (396, "Which|belief?", [("clicks", ["*beta", "'features: logistic"], AMBER), ("counts", ["*gamma"], AMBER),
                                ("amounts, known noise", ["*gaussian", "'features: linear"], AMBER), ("amounts, unknown noise", ["*normal-gamma"], AMBER)]),
        (520, "Which|selector?", [("a belief about rewards", ["*bms-plus", "'the default"], TEAL), ("the paper's rule", ["*bms"], LINE), ("a prior you do not trust", ["*ucb", "'over learners"], LINE),
                                  ("an adversary", ["*exp3p, corral"], LINE)]),
    ]
    for i, (y, question, answers) in enumerate(rows):
        p.box(24, y + 14, 168, 70, [f"*{line}" for line in f"{i + 1}. {question}".split("|")], FAINT, 15, fill=GREY_PALE)
        if i + 1 < len(rows):
            p.arrow((108, y + 84), (108, y + 138), width=2.2)
        wide = (856 - 232 + 12) / len(answers) - 12
        p.add("path", d=f"M192 {y + 49} H212", stroke=LINE, stroke_width=1.5, fill="none")
        p.add("path", d=f"M212 {y + 8} V{y + 92}", stroke=LINE, stroke_width=1.5, fill="none")
        for k, (condition, texts, colour) in enumerate(answers):
            x = 232 + (wide + 12) * k
            p.text(x + wide / 2, y + 20, condition, 12.5, "middle", fill=FAINT, room=wide + 8)
            p.box(x, y + 30, wide, 56, texts, colour, 14)
    return p


PICTURES = {"loop": loop, "round": bms_round, "decision": decision, "crash": crash, "surfaces": surfaces, "deployment": deployment, "choosing": choosing}


def main():
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs/pictures"
    pictures = {name: draw() for name, draw in PICTURES.items()}
    wrong = [f"{name}: {what}" for name, picture in pictures.items() for what in picture.wrong]
    for name, picture in pictures.items():
        (folder / f"{name}.svg").write_text(picture.svg(), encoding="utf-8")
    sys.exit("\n".join(wrong) or None)


if __name__ == "__main__":
    main()
