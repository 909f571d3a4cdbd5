# SPDX-License-Identifier: MIT
"""Experiments and posses described by dicts, right and wrong in every way: they run, or are refused with a place."""

import inspect
import math
import pickle
import re
import unittest

import numpy as np
import posse
from hypothesis import given, settings
from hypothesis import strategies as some
from support import EXPERIMENT, ROOT, decisions, program, scratch, small

QUICK = settings(max_examples=300)

# ---- right experiments ----

positive = some.floats(0.01, 10)
names = some.lists(
    some.text(some.characters(blacklist_categories=("Cs", "Cc", "Zl", "Zp")), min_size=1, max_size=12).filter(
        lambda name: name.strip() == name and name != "oracle"
    ),
    min_size=2,
    max_size=5,
    unique=True,
)


@some.composite
def right_experiments(draw):
    arms = draw(some.integers(1, 6))
    several = some.one_of(positive, some.lists(positive, min_size=arms, max_size=arms))
    gaussian = {"kind": some.just("gaussian"), "arms": some.just(arms), "noise": positive}
    environment = draw(
        some.one_of(
            some.fixed_dictionaries(
                gaussian, optional={"prior": some.fixed_dictionaries({"mean": several, "sd": several})}
            ),
            some.fixed_dictionaries(
                {"kind": some.just("bernoulli"), "arms": some.just(arms)},
                optional={"prior": some.fixed_dictionaries({"alpha": several, "beta": several})},
            ),
        )
    )
    learner = some.one_of(
        some.fixed_dictionaries(
            {"kind": some.just("ucb")}, optional={"width": positive, "delta": some.floats(0.001, 1)}
        ),
        some.fixed_dictionaries({"kind": some.just("epsilon-greedy"), "epsilon": some.floats(0, 1)}),
        some.fixed_dictionaries({"kind": some.just("fixed"), "arm": some.integers(0, arms - 1)}),
        some.fixed_dictionaries({"kind": some.just("thompson")}),
    )
    selector = some.one_of(
        some.fixed_dictionaries(
            {"kind": some.sampled_from(["bms", "d3rb", "ucb", "greedy", "uniform"])},
            optional={"share": some.booleans(), "batch": some.integers(1, 5)},
        ),
        some.fixed_dictionaries({"kind": some.sampled_from(["corral", "exp3p"]), "range": some.just([-3, 3.5])}),
    )
    called = draw(names)
    parts = [{"name": name, **draw(learner)} for name in called[1:]]
    return {
        "name": draw(some.from_regex(r"[a-z0-9-]{1,20}", fullmatch=True)),
        "rounds": draw(some.integers(1, 40)),
        "runs": draw(some.integers(1, 4)),
        "seed": draw(some.integers(0, 2**64 - 1)),
        "environment": environment,
        "learners": parts,
        "selectors": [{"name": called[0], **draw(selector)}],
    }


# ---- wrong experiments ----

nonsense = some.recursive(
    some.one_of(
        some.none(),
        some.booleans(),
        some.integers(),
        some.sampled_from([10**30, -(10**30), 2**64, -1, 0, 1e308, -0.0, 5e-324]),
        some.floats(),
        some.text(max_size=8),
        some.sampled_from(
            [
                "",
                "\0",
                "\n",
                "\ud800",
                "ucb",
                "bms",
                "a: b",
                "- x",
                "{",
                "&a",
                "*a",
                "!!int 3",
                "# no",
                "'",
                '"',
                "~",
                "1e3",
                "0x10",
            ]
        ),
        some.binary(max_size=4),
        some.complex_numbers(),
        some.sampled_from(
            [
                object(),
                object,
                len,
                {1, 2},
                frozenset(),
                range(3),
                np.array(3),
                np.array([[1.0], [2]]),
                np.nan,
                np.array(["a"]),
                np.float32(1),
            ]
        ),
    ),
    lambda inner: some.one_of(
        some.lists(inner, max_size=3),
        some.tuples(inner),
        some.dictionaries(
            some.one_of(
                some.text(max_size=5), some.sampled_from(["kind", "name", "arms"]), some.integers(), some.none()
            ),
            inner,
            max_size=3,
        ),
    ),
    max_leaves=6,
)


def places(value):
    """Every container in the value, with every key or index that can be spoilt."""
    if isinstance(value, dict):
        for key, entry in value.items():
            yield value, key
            yield from places(entry)
    elif isinstance(value, list):
        for place, entry in enumerate(value):
            yield value, place
            yield from places(entry)


def spelt(key):
    """A key as it is shown in a path: control characters and surrogates are escaped."""
    text = str(key).encode("utf-8", "backslashreplace").decode()
    return "".join(f"\\x{ord(c):02x}" if ord(c) < 0x20 or ord(c) == 0x7F else c for c in text) or '""'


def paths(value, path=""):
    """The paths that a problem may have, except those of missing keys."""
    yield path
    if isinstance(value, (list, tuple)):
        for place, entry in enumerate(value):
            yield from paths(entry, f"{path}[{place}]")
    elif isinstance(value, dict):
        for key, entry in value.items():
            yield from paths(entry, f"{path}.{spelt(key)}" if path else spelt(key))


@some.composite
def spoilt_experiments(draw):
    experiment = draw(right_experiments())
    for _ in range(draw(some.integers(1, 3))):
        holder, key = draw(some.sampled_from(list(places(experiment))))
        how = draw(some.sampled_from(["replace", "drop", "add", "misspell"]))
        if how == "drop":
            del holder[key]
        elif how == "add" and isinstance(holder, dict):
            holder[draw(some.one_of(some.text(max_size=6), some.integers(), some.none(), some.tuples()))] = draw(
                nonsense
            )
        elif how == "misspell" and isinstance(key, str):
            holder[key + "x"] = holder.pop(key)
        else:
            holder[key] = draw(nonsense)
        if not list(places(experiment)):
            break
    return experiment


def tame(experiment):
    """Whether an experiment is small enough to be run."""
    limits = {"rounds": 1000, "runs": 10}
    return all(isinstance(experiment.get(key), int) and experiment[key] <= most for key, most in limits.items()) and (
        isinstance(experiment["environment"].get("arms"), int) and experiment["environment"]["arms"] <= 1000
    )


class Experiments(unittest.TestCase):
    def assert_answered(self, experiment):
        """The experiment is accepted, or refused with problems that have a place and a text."""
        try:
            posse.check(experiment)
        except posse.SpecificationError as error:
            self.assertTrue(error.problems, repr(experiment))
            there = set(paths(experiment))
            for problem in error.problems:
                place = problem.path
                if problem.text.startswith("is missing") and place not in there:
                    place = place.rpartition(".")[0]
                self.assertIn(place, there, problem)
                self.assertEqual(problem, f"{problem.path}: {problem.text}" if problem.path else problem.text)
                self.assertNotIn("\n", problem)
            self.assertEqual(str(error).split("\n"), error.problems)
            return error
        return None

    @QUICK
    @given(right_experiments())
    def test_right_ones_run_and_equal_those_of_their_file(self, experiment):
        r = posse.run(experiment, threads=1)
        for c in r:
            self.assertTrue(np.isfinite(c.regret).all())
            self.assertEqual(len(c.runs), experiment["runs"])
        path = scratch(self) / "file.yaml"
        path.write_text(r.experiment, encoding="utf-8")
        self.assertEqual(posse.run(path, threads=1).hash, r.hash)

    @QUICK
    @given(spoilt_experiments())
    def test_spoilt_ones_are_refused_or_run(self, experiment):
        if self.assert_answered(experiment) is None and tame(experiment):
            posse.run(experiment, threads=1)

    @QUICK
    @given(nonsense)
    def test_nonsense_is_refused(self, value):
        if isinstance(value, dict):
            self.assertIsNotNone(self.assert_answered(value))

    def test_what_is_no_experiment_at_all(self):
        for value in (None, 3, 3.5, [], [{}], object()):
            with self.assertRaises(TypeError, msg=repr(value)):
                posse.check(value)
        for value in ("no-such-file.yaml", b"no-such-file.yaml", ""):
            with self.assertRaises((posse.SpecificationError, OSError), msg=repr(value)):
                posse.check(value)

    def test_problems_have_paths(self):
        wrong = small(
            seed=-1,
            environment={"kind": "gaussian", "arms": 3, "prior": {"sd": math.nan}, "nois": 1},
            learners=[
                {"name": "a", "kind": "ucb", "width": -1},
                {"name": "b", "kind": "ubc"},
                {"name": "a", "kind": "thompson", "belief": {"kind": "gaussian", "sd": "wide"}},
            ],
        )
        with self.assertRaises(posse.SpecificationError) as caught:
            posse.check(wrong)
        told = [re.split(r": ", problem)[0] for problem in caught.exception.problems]
        for path in ("seed", "environment.prior.sd", "learners[0].width", "learners[1].kind", "learners[2].belief.sd"):
            self.assertIn(path, told, caught.exception)
        self.assertTrue(any(path.startswith("environment.nois") for path in told), caught.exception)
        self.assertNotRegex(str(caught.exception), r"\b\d+:\d+:|\bline \d")

    def test_paths_lead_into_lists_of_numbers(self):
        for means, path in (([0, math.inf, 1], r"environment\.means(\[1\])?: "), ([0, 1], r"environment\.means: ")):
            with self.assertRaisesRegex(posse.SpecificationError, path):
                posse.check(small(environment={"kind": "gaussian", "arms": 3, "means": means}))

    def refusals(self, experiment, **changes):
        """The problems of an experiment, as (path, text)."""
        with self.assertRaises(posse.SpecificationError) as caught:
            posse.run(experiment, **changes) if changes else posse.check(experiment)
        for problem in caught.exception.problems:
            self.assertEqual((problem.line, problem.column, problem.file), (0, 0, None))
        return [(problem.path, problem.text) for problem in caught.exception.problems]

    def test_every_one_of_ten_options_has_its_path(self):
        learner = {"name": "a", "kind": "ucb", "width": -1, "delta": 7, **{f"option-{i}": i for i in range(10)}}
        self.assertEqual(
            self.refusals(small(learners=[{"name": "b", "kind": "ucb"}, learner])),
            [
                ("learners[1].width", "-1 is out of range; it must be at least 0 and at most 1e+50"),
                ("learners[1].delta", "7 is out of range; it must be at least 1e-100 and at most 1"),
                *((f"learners[1].option-{i}", f'learner "ucb" has no key "option-{i}"') for i in range(10)),
            ],
        )

    def test_every_part_of_a_list_has_its_path(self):
        wrong = [{"name": f"l{i}", "kind": "fixed", "arm": 9 if i % 3 == 0 else 1} for i in range(12)]
        told = [(f"learners[{i}].arm", "there is no arm 9; they count from 0 to 3") for i in range(0, 12, 3)]
        self.assertEqual(self.refusals(small(learners=wrong)), told)
        with self.assertRaises(posse.SpecificationError) as caught:
            posse.Posse(4, learners=wrong, prior="gaussian")
        self.assertEqual([(p.path, p.text) for p in caught.exception.problems], told[:1])

    def test_a_wrong_key_in_a_mixture_in_a_selector_has_its_path(self):
        def mixture(belief):
            return {"kind": "mixture", "components": [{"weight": 1, "belief": "environment"}, {"weight": 2, **belief}]}

        for belief, path, text in (
            ({"belief": {"kind": "gaussian", "sdd": 1}}, "belief.sdd", 'belief "gaussian" has no key "sdd"; did you mean "sd"?'),
            ({"belief": {"kind": "gaussian", "sd": -1}}, "belief.sd", "-1 is out of range; it must be at least 1e-50 and at most 1e+50"),
            ({"belief": {"kind": "gaussian", "mean": [1, 2]}}, "belief.mean", "a list of 2 numbers, but there are 4 arms"),
            ({"belief": {"kind": "gausian"}}, "belief.kind", 'there is no belief of kind "gausian"; did you mean "gaussian"?'),
            ({"belief": {"kind": "beta"}}, "belief.kind", "probabilities (beta, gamma) cannot be mixed with densities, nor with each other"),
            ({}, "belief", "is missing; it must be a belief"),
        ):
            selectors = [{"name": "s", "kind": "bms"}, {"name": "m", "kind": "bms", "belief": mixture(belief)}]
            expected = [(f"selectors[1].belief.components[1].{path}", text)]
            self.assertEqual(self.refusals(small(selectors=selectors)), expected)

    def test_a_problem_may_name_a_second_place(self):
        learners = [{"name": "a", "kind": "ucb"}, {"name": "b", "kind": "ucb"}, {"name": "a", "kind": "ucb"}]
        self.assertEqual(
            self.refusals(small(learners=learners)),
            [("learners[2].name", 'the name "a" is taken at learners[0].name; names must differ')],
        )

    def test_changes_are_called_as_python_calls_them(self):
        self.assertEqual(self.refusals(small(), runs=200_000_000), [("runs", "it must be a whole number from 1 to 100000000")])
        with self.assertRaises(posse.SpecificationError) as caught:
            posse.run(EXPERIMENT, rounds=2_000_000_000)
        self.assertEqual(str(caught.exception), "rounds: it must be a whole number from 1 to 1000000000")

    def test_problems_of_a_file_have_both_places(self):
        file = ROOT / "tests/wrong/many-at-once.yaml"
        with self.assertRaises(posse.SpecificationError) as caught:
            posse.check(file)
        by_path = {problem.path: problem for problem in caught.exception.problems}
        width = by_path["learners[0].width"]
        self.assertEqual((width.file, width.line, width.column), (str(file), 6, 33))
        self.assertEqual(width.text, "-3 is out of range; it must be at least 0 and at most 1e+50")
        self.assertEqual(width, f"{file}:6:33: width: {width.text}")
        self.assertEqual(by_path["learners[1].name"].text, 'the name "a" is taken in line 6; names must differ')
        self.assertEqual(by_path["seed"].text, "is missing; it must be a whole number")

    def test_problems_survive_pickling(self):
        with self.assertRaises(posse.SpecificationError) as caught:
            posse.check(small(seed=-1, rounds=0))
        again = pickle.loads(pickle.dumps(caught.exception))
        self.assertEqual((str(again), again.code), (str(caught.exception), caught.exception.code))
        self.assertEqual([(p.path, p.text) for p in again.problems], [(p.path, p.text) for p in caught.exception.problems])
        plain = posse.SpecificationError("said by someone else")
        self.assertEqual((str(plain), plain.problems, plain.problems[0].path), ("said by someone else", [str(plain)], ""))

    def test_numbers_of_any_length_are_refused(self):
        for huge in (10**30, 10**5000, -(10**5000), 1e308):
            for key in ("seed", "rounds"):
                with self.assertRaisesRegex(posse.SpecificationError, key):
                    posse.check(small(**{key: huge}))

    def test_what_contains_itself_is_refused(self):
        endless = small()
        endless["environment"] = endless
        knot = []
        knot.append(knot)
        deep = {}
        for _ in range(100_000):
            deep = {"prior": deep}
        for experiment in (endless, small(learners=knot), small(environment=deep)):
            with self.assertRaises(posse.SpecificationError):
                posse.check(experiment)
        while deep:
            deep = deep.get("prior")

    def test_keys_that_are_no_texts_are_refused(self):
        for key in (1, None, 2.5, (), b"rounds", True):
            with self.assertRaises(posse.SpecificationError):
                posse.check({**small(), key: 1})

    def test_files_are_refused_in_the_words_of_the_program(self):
        for file in sorted((ROOT / "tests/wrong").glob("*.yaml")):
            with self.subTest(file=file.name):
                answer = program("check", file)
                if answer.returncode == 0:
                    posse.check(file)
                    continue
                with self.assertRaises(posse.SpecificationError) as caught:
                    posse.check(file)
                self.assertEqual(str(caught.exception).strip(), answer.stderr.strip())

    def test_changes_are_checked(self):
        for changes in ({"runs": 0}, {"runs": -1}, {"rounds": 0}, {"seed": -1}, {"seed": 2**64}, {"runs": 10**30}):
            with self.assertRaises((posse.SpecificationError, OverflowError, ValueError), msg=str(changes)):
                posse.run(small(), **changes)
        limits = {"runs": (0, 1, 10**8), "rounds": (10**9 + 1, 1, 10**9), "seed": (2**64, 0, 2**64 - 1)}
        for key, (wrong, low, high) in limits.items():
            with self.assertRaises(posse.SpecificationError) as caught:
                posse.run(small(), **{key: wrong})
            self.assertEqual(str(caught.exception), f"{key}: it must be a whole number from {low} to {high}")
        for changes in ({"runs": "3"}, {"rounds": 2.5}, {"threads": None}, {"threads": "2"}):
            with self.assertRaises((TypeError, ValueError), msg=str(changes)):
                posse.run(small(), **changes)
        with self.assertRaises((ValueError, OverflowError)):
            posse.run(small(), threads=-1)


class Posses(unittest.TestCase):
    def test_say_what_is_wrong_and_where(self):
        wrong = [
            ({"arms": 0}, ""),
            ({"arms": -1}, "arms"),
            ({"learners": []}, "learner"),
            ({"learners": [{"kind": "ubc"}]}, r"ubc.*ucb"),
            ({"learners": ["ucb", {"kind": "ucb", "width": -1, "name": "x"}]}, r"learners\[1\]\.width"),
            ({"learners": [{"kind": "ucb", "wdith": 1}]}, r"learners\[0\].*wdith"),
            ({"selector": {"kind": "bms", "belief": {"kind": "gaussian", "mean": [1, 2]}}}, r"selector"),
            ({"prior": {"kind": "gaussian", "sd": math.nan}}, r"prior"),
            ({"points": [[1.0, 2.0], [3.0]]}, ""),
            ({"points": np.zeros((2, 2, 2))}, ""),
            ({"points": [[math.nan]]}, ""),
        ]
        for changes, words in wrong:
            with self.subTest(changes=changes):
                arguments = {"arms": 3, "learners": ["ucb"], "prior": "gaussian", **changes}
                if "points" in changes:
                    del arguments["arms"]
                with self.assertRaisesRegex((posse.SpecificationError, ValueError), words):
                    posse.Posse(**arguments)

    @QUICK
    @given(
        arguments=some.dictionaries(
            some.sampled_from(["arms", "selector", "learners", "dim", "points", "prior", "seed", "run", "rounds"]),
            nonsense,
            min_size=1,
        )
    )
    def test_nonsense_never_crashes(self, arguments):
        try:
            p = posse.Posse(**{"arms": 3, "learners": ["ucb"], "prior": "gaussian", **arguments})
        except (posse.Error, TypeError, ValueError, OverflowError, MemoryError):
            return
        p.forget(p.decide())

    @QUICK
    @given(nonsense)
    def test_nonsense_as_a_learner(self, value):
        p = posse.Posse(3, learners=["ucb"], prior="gaussian")
        for call in (
            p.add_learner,
            p.retire_learner,
            p.retire_arm,
            p.arm_active,
            lambda v: p.add_arm(point=v),
            p.learner,
            p.forget,
            lambda v: p.learn(v, 1.0),
            lambda v: p.learn(p.decide(), v),
        ):
            try:
                call(value)
            except (posse.Error, TypeError, ValueError, OverflowError):
                pass
        decisions(p, 3)

    def test_rewards_are_checked_and_nothing_is_learned(self):
        p = posse.Posse(3, learners=["ucb"], prior="beta")
        d = p.decide()
        for reward in (math.nan, math.inf, -math.inf, 1e101, -0.1, 1.1):
            with self.assertRaises(posse.RewardError):
                p.learn(d, reward)
        for reward in ("1", None, [1], 1j):
            with self.assertRaises(TypeError):
                p.learn(d, reward)
        self.assertEqual(p.pending, 1)
        p.learn(d, np.float32(0.5))
        for again in (d, d.id, 0, 99):
            with self.assertRaises(posse.DecisionError):
                p.learn(again, 0.5)
        for reward in (True, np.bool_(True), np.int64(1), 0):
            p.learn(p.decide(), reward)

    def test_what_a_selector_lacks_is_absent(self):
        p = posse.Posse(3, "uniform", ["ucb"])
        lacks = {
            "potentials": "this selector has none",
            "means": "this selector has no belief",
            "clipped": "this selector has no range",
            "surprise": "this selector does not watch its belief",
            "probabilities": "no learner was chosen yet",
        }
        for quantity, lack in lacks.items():
            with self.assertRaises(posse.AbsentError) as caught:
                getattr(p, quantity)
            self.assertEqual(str(caught.exception), f"{quantity}: {lack}")
            self.assertFalse(hasattr(p, quantity))
        self.assertIn("plays", dict(inspect.getmembers(p)))
        self.assertEqual(posse.Posse(3, "corral", ["ucb"], rounds=10).clipped, 0)
        watched = posse.Posse(3, {"kind": "bms", "watch": True}, ["ucb"], prior="gaussian")
        self.assertEqual(watched.surprise, 0.0)
        for _ in range(50):
            watched.learn(watched.decide(), 30.0)
        self.assertGreater(watched.surprise, 10.0)

    def test_sizes_that_differ_are_told(self):
        points = np.eye(2)
        for sizes, words in (({"arms": 5}, "arms is 5, but these have 2"), ({"dim": 3}, "dim is 3, but these have 2")):
            with self.assertRaisesRegex(posse.SpecificationError, f"^points: {words}$"):
                posse.Posse(points=points, selector="uniform", learners=["linear-ucb"], **sizes)

    def test_parts_have_the_paths_of_their_arguments(self):
        def told(call):
            with self.assertRaises(posse.SpecificationError) as caught:
                call()
            return [(problem.path, problem.text) for problem in caught.exception.problems]

        wrong = {"kind": "thompson", "belief": {"kind": "gaussian", "sd": -1}}
        range_ = "it must be at least 1e-50 and at most 1e+50"
        self.assertEqual(
            told(lambda: posse.Posse(3, learners=["ucb", wrong])), [("learners[1].belief.sd", f"-1 is out of range; {range_}")]
        )
        self.assertEqual(
            told(lambda: posse.Posse(3, {"kind": "bms", "learners": []}, ["ucb"])),
            [("selector.learners", "the selector of a posse plays all of its learners")],
        )
        self.assertEqual(
            told(lambda: posse.Posse(3, learners=["ucb", {"kind": "fixed", "arm": 3}], prior="gaussian")),
            [("learners[1].arm", "there is no arm 3; they count from 0 to 2")],
        )
        p = posse.Posse(3, learners=["ucb"], prior="gaussian")
        self.assertEqual(told(lambda: p.add_learner(wrong)), [("belief.sd", f"-1 is out of range; {range_}")])
        self.assertEqual(
            told(lambda: p.add_learner({"kind": "fixed", "arm": 3})),
            [("arm", "there is no arm 3; they count from 0 to 2")],
        )
        self.assertEqual(told(lambda: p.add_learner(3)), [("", "a learner, {kind: ..} or a kind, is needed here, not the number 3")])

    def test_a_missing_horizon_is_told_as_python_calls_it(self):
        with self.assertRaisesRegex(posse.SpecificationError, "rounds= in Python"):
            posse.Posse(3, "corral", ["ucb"])

    def test_errors_are_of_one_family_with_the_names_of_the_library(self):
        p = posse.Posse(3, learners=["ucb"], prior="gaussian")
        for call, kind, code in (
            (lambda: p.learn(99, 1), posse.DecisionError, "POSSE_ERROR_UNKNOWN"),
            (lambda: p.learn(p.decide(), math.nan), posse.RewardError, "POSSE_ERROR_REWARD"),
            (lambda: p.retire_learner(0), posse.LearnerError, "POSSE_ERROR_LEARNER"),
            (lambda: p.retire_arm(3), posse.LearnerError, "POSSE_ERROR_ARM"),
            (lambda: posse.load(b""), posse.DamagedError, "POSSE_ERROR_DAMAGED"),
            (lambda: p.clipped, posse.AbsentError, "POSSE_ERROR_ABSENT"),
        ):
            with self.assertRaises(kind) as caught:
                call()
            self.assertIsInstance(caught.exception, posse.Error)
            self.assertEqual(caught.exception.code, code)
            self.assertTrue(str(caught.exception))


if __name__ == "__main__":
    unittest.main()
