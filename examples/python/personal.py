"""Two models that personalise: one shows every visitor the article to their taste, the other one the wrong article.

Both show each of the two articles to half of the visitors. So without features, the plays of the two models look alike.
"""

import random
import statistics

import posse

VISITORS, RUNS = 4000, 10
RIGHT, WRONG = 0.15, 0.05  # of the visitors click on the article to their taste, and on the other one

pair = [{"kind": "external", "name": "right"}, {"kind": "external", "name": "wrong"}]
WAYS = {
    "arms are articles, no features": lambda run: posse.Posse(2, prior="beta", learners=pair, run=run),
    "arms are articles, with features": lambda run: posse.Posse(2, context=2, prior="logistic", learners=pair, run=run),
    "arms are the models": lambda run: posse.Posse(2, prior="beta", learners=["thompson"], run=run),
}


def share_of_the_right_model(p, run):
    chance, right = random.Random(run), 0
    for _ in range(VISITORS):
        taste = chance.randrange(2)
        visitor = posse.Context(shared=[1, taste]) if p.features else None
        d = p.decide(visitor)
        model = d.learner if d.untold else d.arm
        article = taste if model == 0 else 1 - taste
        if d.untold:
            p.acted(d, article, context=visitor)
        p.learn(d, chance.random() < (RIGHT if article == taste else WRONG))
        right += model == 0
    return right / VISITORS


print(f"how often the right model decides, {VISITORS} visitors, mean of {RUNS} runs")
for way, make in WAYS.items():
    print(f"{way:33} {statistics.fmean(share_of_the_right_model(make(run), run) for run in range(RUNS)):4.0%}")
