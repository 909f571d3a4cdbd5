# SPDX-License-Identifier: MIT
"""Checks the links of the documents, in the built site and in the Markdown: site_checks.py SOURCE SITE

Every link of the built pages leads to a page and an anchor that exist, and no page loads anything from elsewhere. Every
link of the Markdown also works on a forge, which makes anchors from headings. Prints problems, and exits with 1 if it
finds any.
"""
import os
import pathlib
import re
import sys
import urllib.parse
from html.parser import HTMLParser

from markdown_it import MarkdownIt

OUTSIDE = re.compile(r"[a-z][a-z0-9+.-]*:|//")
LOADED = {"img": "src", "script": "src", "link": "href", "iframe": "src", "source": "src", "object": "data", "use": "href"}


class Page(HTMLParser):
    """The anchors of a page, its links, and what it loads."""

    def __init__(self, file):
        super().__init__()
        self.anchors, self.links, self.loads = set(), [], []
        self.feed(file.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.anchors |= {attributes[key] for key in ("id", "name") if attributes.get(key)}
        if tag == "a" and attributes.get("href"):
            self.links.append(attributes["href"])
        if tag in LOADED and attributes.get(LOADED[tag]):
            self.loads.append(attributes[LOADED[tag]])
        self.loads += re.findall(r"url\(['\"]?([^'\")]+)", attributes.get("style", ""))


def target_of(site, file, link):
    """The file and the anchor that a link leads to."""
    path, _, anchor = link.partition("#")
    path = urllib.parse.unquote(path.split("?")[0])
    return (file.parent / path).resolve() if path else file.resolve(), urllib.parse.unquote(anchor)


def check_site(site, complain):
    pages = {file.resolve(): Page(file) for file in site.rglob("*.html")}
    links = 0
    for file, page in pages.items():
        here = file.relative_to(site.resolve())
        for link in page.links + page.loads:
            outside = OUTSIDE.match(link)
            if outside and link in page.loads and not link.startswith("data:"):
                complain(f"{here} loads {link}")
            if outside:
                continue
            links += 1
            to, anchor = target_of(site, file, link)
            if not to.is_file():
                complain(f"{here} leads to {link}, which does not exist")
            elif anchor and to in pages and anchor not in pages[to].anchors:
                complain(f"{here} leads to {link}, which has no such anchor")
    for style in site.rglob("*.css"):
        for url in re.findall(r"""@import\s+(?:url\()?['"]?([^'")]+)|url\(['"]?([^'")]+)""", style.read_text(encoding="utf-8")):
            if not "".join(url).startswith("data:") and not (style.parent / "".join(url)).is_file():
                complain(f"{style.relative_to(site)} loads {''.join(url)}")
    if len(pages) < 40 or links < 1000:
        complain(f"only {len(pages)} pages with {links} links were found")


def slugs(tokens):
    """The anchors that a forge gives to headings. The second heading of a name gets -1 at the end."""
    found = {}
    for at, token in enumerate(tokens):
        if token.type == "heading_open":
            parts = tokens[at + 1].children
            text = "".join(part.content for part in parts if part.type in ("text", "code_inline"))
            slug = re.sub(r"[^\w\- ]", "", text.strip().lower()).replace(" ", "-")
            found[slug] = found.get(slug, -1) + 1
            yield slug if found[slug] == 0 else f"{slug}-{found[slug]}"


def check_forge(source, complain):
    files = [*source.glob("*.md"), *(source / "docs").rglob("*.md"), *(source / "examples").rglob("*.md"), *(source / "experiments").rglob("*.md")]
    parsed = {file.resolve(): MarkdownIt("commonmark").enable("table").parse(file.read_text(encoding="utf-8")) for file in files}
    anchors = {file: set(slugs(tokens)) for file, tokens in parsed.items()}
    for file, tokens in parsed.items():
        here = file.relative_to(source.resolve())
        inline = [part for token in tokens for part in token.children or ()]
        for link in [part.attrs.get("href") or part.attrs.get("src") for part in inline if part.type in ("link_open", "image")]:
            if OUTSIDE.match(str(link)):
                continue
            to, anchor = target_of(source, file, str(link))
            if not to.exists():
                complain(f"{here} leads to {link}, which does not exist")
            elif os.path.commonpath([to, source.resolve()]) != str(source.resolve()):
                complain(f"{here} leads to {link}, outside of the repository")
            elif anchor and to in anchors and anchor not in anchors[to]:
                complain(f"{here} leads to {link}, which has no such heading")


def main():
    problems = []
    source, site = map(pathlib.Path, sys.argv[1:])
    check_site(site, problems.append)
    check_forge(source, problems.append)
    print("\n".join(problems), end="\n" if problems else "")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
