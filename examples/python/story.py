"""examples/story.c in Python, with the same decisions: three rules, twelve articles, late clicks and a restart."""

import pickle

import posse

ARTICLES = "derby soup budget chess bread storm rally tarte vote final curry comet".split()
TOPICS, COUNTRIES = ("sport", "food", "news"), ("de", "fr", "us")  # the topic of article k is k % 3
ROUNDS, SHOWN, EVERY, BATCH, RESTART = 480, 4, 40, 10, 205


class Visitors:
    chance = 1

    def draw(self, below):
        self.chance = (self.chance * 1664525 + 1013904223) % 2**32
        return (self.chance >> 16) % below

    def next(self):
        return {"country": COUNTRIES[self.draw(3)], "age": 18 + self.draw(60)}, self.draw(100)


def clicks(who, luck, article):
    wanted = 2 if who["age"] > 60 else COUNTRIES.index(who["country"])
    return luck < (95 if article % 3 == wanted else 2)


rules = posse.Posse(
    learners=[{"kind": "external", "name": name} for name in ("newest", "oldest", "personal")],
    selector={"kind": "thompson", "model": "beta", "discount": 0.9},
    expire_after=20,  # a visitor who has not clicked by then will not
    expire_reward=0,
)
page = posse.Posse(
    arms=ARTICLES[:SHOWN],
    dim=64,  # names are hashed to 64 numbers
    features={"interactions": ["context*arm"], "scale": {"age": {"mean": 40, "sd": 16}}},
    prior="logistic",
    learners=["logistic-thompson", "logistic-ucb"],
    expire_after=20,
    expire_reward=0,
)
visitors, of_rules, of_page, digest, first = Visitors(), [], [], 0, 0
for n in range(ROUNDS):
    if n > 0 and n % EVERY == 0 and first + SHOWN < len(ARTICLES):  # the oldest article goes, a new one comes
        page.retire_arm(ARTICLES[first])
        first += 1
        page.add_arm(name=ARTICLES[first + SHOWN - 1])
    if n % BATCH == BATCH - 1:  # clicks arrive in batches, the latest first
        for p, batch in ((rules, of_rules), (page, of_page)):
            while batch:
                p.learn(batch.pop(), 1)
    if n == RESTART:  # as if the process had ended: pending decisions are among the bytes
        rules, page = pickle.loads(pickle.dumps((rules, page)))
    who, luck = visitors.next()
    d = rules.decide()
    rule = rules.learners[d.learner]
    article = first + SHOWN - 1 if rule == "newest" else first
    if rule == "personal":
        offers = {ARTICLES[k]: {"topic": TOPICS[k % 3]} for k in range(first, first + SHOWN)}
        choice = page.decide(who, arms=offers)
        article = ARTICLES.index(choice.name)
    if clicks(who, luck, article):
        of_rules.append(d.id)
        if rule == "personal":
            of_page.append(choice.id)
    digest = (31 * digest + 10 * article + d.learner) % 2**32
    if n % EVERY == 0:
        print(f"round {n:3}: {who['country']}, {who['age']} years: {rule} shows {ARTICLES[article]}")

print(f"decisions: {digest:08x}")
report = rules.report()
print(f"{report.verdict}: {report.reason}")
for one in report.learners:
    print(f"{one.name:8} {one.rewards:3} rewards, mean {one.mean:.4f}, at all times {one.low:.4f} to {one.high:.4f}")
