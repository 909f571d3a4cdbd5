# SPDX-License-Identifier: MIT
"""The families of problems: environments, the learners that fit them, and wrong beliefs about them.

A family draws its environment when it is made. Then it has
  kind, environment  the environment's kind, and its line in the experiment file
  arms, dim          its size; dim is 0 if arms have no coordinates
  noise              the standard deviation of a reward around its arm's mean, which is given to the rivals
  low, high          between which nearly all rewards lie
  wrong              {what is wrong: belief}, the wrong beliefs that B-MS may be given
  arm_nanoseconds    about what each arm adds to the time of a round
  team(dice, size)   draws learners: their kinds and settings
Settings of learners are spread around sensible ones by factors, log-uniformly, so that teams hold good and bad ones.
"""
import math


def short(number):
    return f"{number:.3g}"


def list_of(numbers):
    """One number for all arms, or a list with one for each."""
    texts = [short(number) for number in numbers]
    return texts[0] if len(texts) == 1 else "[" + ", ".join(texts) + "]"


class Family:
    """The part that the families share. `weights` has how often each kind of learner is drawn."""

    dim = 0
    fewest = 2  # arms
    weights = {"ucb": 4, "thompson": 3, "epsilon-greedy": 2, "fixed": 0.5}

    def learner(self, dice):
        kind = dice.weighted(self.weights)
        return kind, getattr(self, kind.replace("-", "_"))(dice)

    def team(self, dice, size):
        return [self.learner(dice) for _ in range(size)]

    def ucb(self, dice):
        return f"width: {short(self.noise * dice.log_uniform(0.03, 10))}"

    def thompson(self, dice):
        """One in three has the right prior."""
        return "belief: " + ("environment" if dice.chance(1 / 3) else self.own_belief(dice))

    def epsilon_greedy(self, dice):
        return f"epsilon: {short(dice.log_uniform(0.005, 0.5))}"

    def fixed(self, dice):
        return f"arm: {dice.index(self.arms)}"


def gaussian_belief(means, sd, noise):
    return f"{{kind: gaussian, mean: {list_of(means)}, sd: {short(sd)}, noise: {short(noise)}}}"


class Gaussian(Family):
    kind = "gaussian"
    arm_nanoseconds = 3

    def __init__(self, dice):
        self.arms = dice.whole(self.fewest, 20)
        self.mean, self.sd = dice.uniform(-1, 1), dice.log_uniform(0.1, 2)
        self.noise = dice.log_uniform(0.25, 4)
        mean, sd, noise = self.mean, self.sd, self.noise
        prior = f"{{mean: {short(mean)}, sd: {short(sd)}}}"
        self.environment = f"{{kind: gaussian, arms: {self.arms}, prior: {prior}, noise: {short(noise)}}}"
        reach = 3.5 * math.hypot(sd, noise)
        self.low, self.high = mean - reach, mean + reach
        shifted = [mean + dice.one_of((-2, 2)) * sd for _ in range(self.arms)]
        self.wrong = {
            "shifted": gaussian_belief(shifted, sd, noise),
            "wide": gaussian_belief([mean], 3 * sd, noise),
            "narrow": gaussian_belief([mean], sd / 3, noise),
            "noise x3": gaussian_belief([mean], sd, 3 * noise),
            "noise /3": gaussian_belief([mean], sd, noise / 3),
        }

    def own_belief(self, dice):
        mean = self.mean + self.sd * dice.uniform(-2, 2)
        return gaussian_belief([mean], self.sd * dice.log_uniform(0.1, 10), self.noise * dice.log_uniform(1 / 3, 3))


def beta_belief(means, weights):
    """Beta distributions of given means; the weight is the number of rewards that each counts for, alpha + beta."""
    alphas = [mean * weight for mean, weight in zip(means, weights)]
    betas = [(1 - mean) * weight for mean, weight in zip(means, weights)]
    return f"{{kind: beta, alpha: {list_of(alphas)}, beta: {list_of(betas)}}}"


def beta_weight(mean, sd):
    """The weight that gives a beta distribution this standard deviation. If it is not positive, there is none."""
    return mean * (1 - mean) / sd**2 - 1


class Coins(Family):
    kind = "bernoulli"
    arm_nanoseconds = 14

    def __init__(self, dice):
        self.arms = dice.whole(self.fewest, 20)
        alpha, beta = self.prior(dice)
        prior = f"{{alpha: {short(alpha)}, beta: {short(beta)}}}"
        self.environment = f"{{kind: bernoulli, arms: {self.arms}, prior: {prior}}}"
        self.weight = alpha + beta
        self.mean = alpha / self.weight
        self.low, self.high = 0, 1
        self.noise = math.sqrt(self.mean * (1 - self.mean))
        self.wrong = self.wrong_beliefs(dice, self.noise / math.sqrt(self.weight + 1))

    def prior(self, dice):
        return dice.log_uniform(0.5, 10), dice.log_uniform(0.5, 10)

    def wrong_beliefs(self, dice, sd):
        """The mean two sd off, or the sd three times too large, if a beta distribution can have them."""
        wrong = {"narrow": beta_belief([self.mean], [beta_weight(self.mean, sd / 3)])}
        if beta_weight(self.mean, 3 * sd) > 0.1:
            wrong["wide"] = beta_belief([self.mean], [beta_weight(self.mean, 3 * sd)])
        possible = [mean for mean in (self.mean - 2 * sd, self.mean + 2 * sd) if beta_weight(mean, sd) > 0.1]
        if possible:
            means = [dice.one_of(possible) for _ in range(self.arms)]
            wrong["shifted"] = beta_belief(means, [beta_weight(mean, sd) for mean in means])
        return wrong

    def own_belief(self, dice):
        odds = self.mean / (1 - self.mean) * dice.log_uniform(0.25, 4)
        return beta_belief([odds / (1 + odds)], [self.weight * dice.log_uniform(0.1, 10)])


class Clicks(Coins):
    """Success is rare: visitors who click an advertisement, a few in a hundred."""

    def prior(self, dice):
        return 1, dice.uniform(15, 30)


def linear_belief(precision, noise):
    return f"{{kind: linear, precision: {short(precision)}, noise: {short(noise)}}}"


class Linear(Family):
    kind = "linear"
    arm_nanoseconds = 4
    weights = {"linear-thompson": 4, "linear-ucb": 3, "thompson": 2, "ucb": 1, "epsilon-greedy": 1, "fixed": 0.3}

    def __init__(self, dice):
        self.dim, self.arms = dice.whole(2, 10), dice.whole(10, 200)
        self.precision, self.noise = dice.log_uniform(0.3, 10), dice.log_uniform(0.25, 2)
        precision, noise = self.precision, self.noise
        self.environment = (
            f"{{kind: linear, dim: {self.dim}, arms: {{set: {dice.one_of(('ball', 'sphere'))}, count: {self.arms}}}, "
            f"prior: {{precision: {short(precision)}}}, noise: {short(noise)}}}"
        )
        # The best arm is nearly parallel to theta, whose length is about sqrt(dim / precision).
        self.high = math.sqrt(self.dim / precision) + 3 * math.hypot(noise, math.sqrt(0.5 / precision))
        self.low = -self.high
        self.wrong = {
            "wide": linear_belief(precision / 9, noise),
            "narrow": linear_belief(precision * 9, noise),
            "noise x3": linear_belief(precision, 3 * noise),
            "noise /3": linear_belief(precision, noise / 3),
        }

    def linear_thompson(self, dice):
        """noise / sqrt(dim) is the width of the posterior."""
        return f"width: {short(self.noise / math.sqrt(self.dim) * dice.log_uniform(0.03, 30))}"

    def linear_ucb(self, dice):
        return f"width: {short(self.noise * dice.log_uniform(0.03, 10))}"

    def own_belief(self, dice):
        return linear_belief(self.precision * dice.log_uniform(0.01, 100), self.noise * dice.log_uniform(1 / 3, 3))


class Lock(Family):
    """Every team has a learner that can read the lock."""

    kind = "information-lock"
    arm_nanoseconds = 6
    weights = {"ucb": 3, "thompson": 3, "epsilon-greedy": 2, "information-lock": 3, "fixed": 0.5}

    def __init__(self, dice):
        magic = 2 + dice.index(5)
        self.arms = magic + 2**magic
        self.noise = dice.log_uniform(0.5, 2)
        self.environment = f"{{kind: information-lock, arms: {2 ** magic}, noise: {short(self.noise)}}}"
        self.low, self.high = -1 - 3 * self.noise, 1 + 3 * self.noise
        self.wrong = {
            "noise x3": f"{{kind: information-lock, noise: {short(3 * self.noise)}}}",
            "noise /3": f"{{kind: information-lock, noise: {short(self.noise / 3)}}}",
        }

    def team(self, dice, size):
        team = super().team(dice, size)
        team[dice.index(size)] = "information-lock", self.information_lock(dice)
        return team

    def information_lock(self, dice):
        confidence, noise = 1 - dice.log_uniform(0.001, 0.5), self.noise * dice.log_uniform(0.5, 2)
        return f"confidence: {short(confidence)}, noise: {short(noise)}"

    def thompson(self, dice):
        """A belief that cannot represent the lock."""
        return "belief: " + gaussian_belief([dice.uniform(0, 1)], dice.log_uniform(0.2, 2), self.noise)


class Poor:
    """Teams in which nobody need be good: nobody finds the best arm, or nobody stops exploring.

    Each learner stands for a rule or model whose regret grows for ever, at a rate of its own. There are at least three
    arms for each, so that the best one is seldom among those that rules play."""

    fewest = 6

    def team(self, dice, size):
        """Rules play distinct arms."""
        team = super().team(dice, min(size, self.arms // 3))
        arms = dice.shuffled(range(self.arms))
        places = [place for place, (kind, _) in enumerate(team) if kind == "fixed"]
        for arm, place in zip(arms, places):
            team[place] = "fixed", f"arm: {arm}"
        return team


class Rules(Poor):
    """Rules that never learn."""

    weights = {"fixed": 1}


class Explorers(Poor):
    """Learners that never stop exploring, and a few rules."""

    weights = {"epsilon-greedy": 3, "ucb": 1, "fixed": 1}

    def epsilon_greedy(self, dice):
        return f"epsilon: {short(dice.uniform(0.1, 1))}"

    def ucb(self, dice):
        return f"width: {short(self.noise * dice.log_uniform(5, 50))}"


class GaussianRules(Rules, Gaussian):
    pass


class ClickRules(Rules, Clicks):
    pass


class GaussianExplorers(Explorers, Gaussian):
    pass


class CoinExplorers(Explorers, Coins):
    pass


FAMILIES = {
    "gaussian": Gaussian, "coins": Coins, "clicks": Clicks, "linear": Linear, "lock": Lock,
    "gaussian rules": GaussianRules, "click rules": ClickRules,
    "gaussian explorers": GaussianExplorers, "coin explorers": CoinExplorers,
}  # fmt: skip
POOR = {name for name, family in FAMILIES.items() if issubclass(family, Poor)}
