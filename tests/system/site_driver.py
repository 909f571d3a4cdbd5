#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Opens the site of the documents in headless Chromium, from the disk, and searches in it: site_driver.py CHROMIUM SITE

As in a browser without options, files may not read other files. Prints problems, and exits with 1 if it finds any."""
import pathlib
import sys
import time
import urllib.parse

from page_driver import OPTIONS, PATIENCE, Browser

# Words that a reader may search for, and a page that must be among the results.
SEARCHES = {
    "late rewards": "docs/embedding.html",
    "floor": "docs/kinds.html",
    "patience": "docs/kinds.html",
    "B-MS": "docs/algorithm.html",
    "B-MS+": "docs/defaults.html",
    "bms-plus": "docs/selectors.html",
    "409": "docs/troubleshooting.html",
    "POSSE_ERROR_SETTLED": "docs/troubleshooting.html",
}


def until(look):
    end = time.monotonic() + PATIENCE
    while not look() and time.monotonic() < end:
        time.sleep(0.05)
    return look()


def search(browser, site, words, page):
    browser.open(f"{site}/search.html?q={urllib.parse.quote_plus(words)}")
    done = "document.querySelector('#search-results .search-summary')?.textContent.includes('finished')"
    found = lambda: browser.run("[...document.querySelectorAll('#search-results li a')].map(a => a.getAttribute('href').split(/[?#]/)[0])")
    if not until(lambda: browser.run(done) or page in found()):
        return [f"searching for {words!r} does not end"]
    until(lambda: page in found())
    return [] if page in found() else [f"searching for {words!r} finds {found()}, and not {page}"]


def theme(browser, site):
    """The button changes between light and dark, and a dark system has dark pages."""
    problems = []
    browser.look(1280, 900, False)
    browser.open(f"{site}/index.html")
    colour = lambda: browser.run("getComputedStyle(document.body).backgroundColor")
    light = colour()
    browser.look(1280, 900, True)
    if colour() == light:
        problems.append("a dark system has a light page")
    browser.look(1280, 900, False)
    browser.click(".theme-toggle-content .theme-toggle")
    if colour() == light or browser.run("document.body.dataset.theme") != "dark":
        problems.append("the button does not make the page dark")
    browser.run("localStorage.clear()")
    return problems


def fits(browser, site):
    """No page is wider than a phone."""
    browser.look(390, 844, False)
    for page in sorted(pathlib.Path(site).rglob("docs/*.html")) + [pathlib.Path(site) / "index.html"]:
        browser.open(str(page))
        wide = browser.run("document.documentElement.scrollWidth - innerWidth")
        if wide > 0:
            yield f"{page.relative_to(site)} is {wide} pixels wider than a phone"
        yield from (f"{page.relative_to(site)}: {trouble}" for trouble in browser.troubles())


def main():
    program, site = sys.argv[1], str(pathlib.Path(sys.argv[2]).resolve())
    browser, problems = Browser(program, [option for option in OPTIONS if "file-access" not in option]), []
    try:
        browser.look(1280, 900, False)
        for words, page in SEARCHES.items():
            problems += search(browser, site, words, page)
            problems += browser.troubles()
        problems += theme(browser, site)
        problems += fits(browser, site)
    finally:
        browser.close()
    print("\n".join(problems), end="\n" if problems else "")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
