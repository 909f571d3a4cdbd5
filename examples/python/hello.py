"""Four ways to pick one of five ads. Which one suits today's visitors?"""

import posse

CLICK_RATES = [0.03, 0.05, 0.04, 0.12, 0.02]  # the truth, which nobody knows


def visitors(count):
    """Chance, the same as in hello.c."""
    chance = 1
    for _ in range(count):
        chance = (chance * 1664525 + 1013904223) % 2**32
        yield chance / 2**32


p = posse.Posse(
    arms=5,
    prior="beta",  # any click rate is as likely as any other
    learners=[
        {"kind": "ucb", "name": "cautious"},
        {"kind": "ucb", "name": "bold", "width": 0.1},
        {"kind": "epsilon-greedy", "name": "dice", "epsilon": 0.3},
        {"kind": "thompson", "name": "sampler"},  # samples the belief: good in any team
    ],
)

clicks = 0
for chance in visitors(10_000):
    d = p.decide()
    click = chance < CLICK_RATES[d.arm]
    p.learn(d, click)  # now or later; a visitor who does not click is a reward of 0
    clicks += click

print(clicks, "clicks: the best ad alone would have had about 1200")
for name, plays in zip(p.learners, p.plays):
    print(f"{name:8} picked {plays:4} ads")
