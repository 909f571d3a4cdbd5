#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares the guarantees on pages with the conditions of the theorems, warnings with the manifest, and adds up the shares
of matching.csv: guarantees_have_theorems.py CHROMIUM RESULTS"""
import collections
import csv
import json
import pathlib
import sys

from page_driver import Browser

STAYS = {"bernoulli", "gaussian", "linear", "information-lock"}  # bounded or normal rewards, means that stay
NEVER = ("paper/thompson-mis-", "drift/", "contextual/")


def covered(manifest, selector):
    """Whether a theorem of docs/theory.md bounds the regret of a selector by what its results measure."""
    world = manifest["environment"]
    if selector["kind"] in ("bms", "bms-plus") and selector["patience"] != "endless" and selector["budget"] > 0:
        return False  # Theorem 22 has a term that no result measures
    return (selector["kind"] in ("bms", "bms-plus") and world["kind"] in STAYS and "means" not in world
            and "theta" not in world and selector["belief"] == "environment" and not selector["forgetting"]
            and selector["discount"] == 1 and selector["batch"] == 1 and selector["floor"] == 0
            and manifest.get("tasks", 1) == 1)


def doubts(manifest):
    """How many warnings a page must show: of clipped rewards, and of beliefs that rewards contradict."""
    clipped = sum(row["clipped"] > 0.01 * row["rewards"] for row in manifest["clipped"])
    return clipped + sum(row["limit"] is not None and row["surprise"] * row["runs"] > row["limit"]
                         for row in manifest["surprise"])


def sums_of_best(folder):
    """The sum of `best` over the learners, for each selector and round of matching.csv."""
    sums = collections.Counter()
    with open(folder / "matching.csv", newline="") as file:
        for row in csv.DictReader(file):
            sums[row["name"], row["round"]] += float(row["best"] or 0)
    return sums


def problems_of_matching(name, page, sums):
    """In every round some learner is best, so the shares add up to 1. Without rows the page gives the reason."""
    found = [f"{name}: `best` of {who} adds up to {total} in round {at}" for (who, at), total in sums.items()
             if abs(total - 1) > 1e-9]
    if not sums and "Nothing to check: " not in page and "Not checked: " not in page:
        found.append(f"{name}: no matching check, and no reason for it")
    return found


def problems_of(browser, name, page, manifest):
    browser.events.clear()
    browser.call("Page.navigate", {"url": page.resolve().as_uri()})
    browser.wait("Page.loadEventFired")
    text = browser.run("document.querySelector('main').textContent")
    shown = set(browser.run("typeof bounded === 'undefined' ? [] : bounded.map(s => s.name)"))
    expected = {s["name"] for s in manifest["selectors"] if covered(manifest, s)}
    if manifest.get("tasks", 1) > 1:
        shown = set()  # the page drops the section
    found = [f"{name}: {trouble}" for trouble in browser.troubles()]
    if manifest.get("tasks", 1) == 1:
        found += problems_of_matching(name, text, sums_of_best(page.parent))
    warned = browser.run("document.querySelectorAll('#results p.warning').length")
    if warned != doubts(manifest):
        found.append(f"{name}: {warned} warnings on the page, {doubts(manifest)} by the manifest")
    if not browser.run("document.getElementById('results').compareDocumentPosition(document.getElementById('run')) & 4"):
        found.append(f"{name}: what was run stands before the results")
    learners, selectors = len(manifest["learners"]), len(manifest["selectors"])
    checked = browser.run("document.querySelectorAll('#legend input:checked').length")
    if learners > 12 and manifest["solo"] and checked != selectors + 2:  # and the best learner, and the oracle
        found.append(f"{name}: {checked} curves are on, of {learners} learners and {selectors} selectors")
    if shown != expected:
        found.append(f"{name}: guarantees of {sorted(shown)}, theorems cover {sorted(expected)}")
    if ("guaranteed" in text) != bool(expected):
        found.append(f"{name}: {'no ' if expected else ''}guarantee on the page")
    if name.startswith(NEVER) and "guaranteed" in text:
        found.append(f"{name}: no theorem covers this experiment")
    others = [s for s in manifest["selectors"] if s["kind"] in ("bms", "bms-plus") and not covered(manifest, s)]
    if others and manifest.get("tasks", 1) == 1 and "No guarantee is drawn for" not in text:
        found.append(f"{name}: the page does not say which condition fails")
    return found


def main(chromium, results):
    browser, problems, pages, guaranteed, doubted, matched = Browser(chromium), [], 0, 0, 0, 0
    try:
        for page in sorted(pathlib.Path(results).glob("*/*/index.html")):
            manifest = json.loads((page.parent / "manifest.json").read_text())
            if manifest["measure"] != "regret" or "selectors" not in manifest:
                continue
            problems += problems_of(browser, f"{page.parent.parent.name}/{page.parent.name}", page, manifest)
            guaranteed += any(covered(manifest, s) for s in manifest["selectors"])
            doubted += any(row["limit"] is not None and row["surprise"] * row["runs"] > row["limit"]
                           for row in manifest["surprise"])
            matched += bool(sums_of_best(page.parent))
            pages += 1
    finally:
        browser.close()
    counts = (f"{pages} pages, {guaranteed} with guarantees, {doubted} with contradicted beliefs, "
              f"{matched} with a matching check whose shares add up to 1")
    if pages < 50 or guaranteed < 5 or doubted < 1 or matched < 20:
        problems.append(f"{counts}: too few to be all experiments")
    print("\n".join(problems) if problems else counts)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
