# SPDX-License-Identifier: MIT
"""What Sphinx does not do by itself for this site.

- The navigation comes from navigation.md, so that no page has a directive in it. A page of docs/ that is not listed there
  or in docs/index.md is an error, and so is one that is listed and does not exist.
- The search finds B-MS, B-MS+ and numbers.
- A link to a file that is no page, such as ../examples/hello.c, leads to a page that shows the file; a link to a folder, to
  a list of its files.
- The theme of Debian works from a disk.
- Headings have the anchors that a forge gives them: c-reference.html#posse_decide.
"""
import html
import os
import pathlib
import re

from docutils import nodes
from pygments.lexers import TextLexer, get_lexer_for_filename
from pygments.util import ClassNotFound
from sphinx import addnodes
from sphinx.errors import ExtensionError
from sphinx.search.en import SearchEnglish

LINK = re.compile(r"\[([^\]]*)\]\(([^)#\s]+)(?:#[^)]*)?\)")
SHOWN = "source"  # the folder of the site with pages that show files
PICTURES = (".png", ".svg")
LARGEST = 400_000  # bytes of a file that is shown


# ---- navigation --------------------------------------------------------------------------------------------------------


def groups(app):
    """(title, [(label, page)]) of each part of the navigation. Pages are named as Sphinx does: docs/embedding."""
    text = (pathlib.Path(app.confdir) / "navigation.md").read_text()
    for part in text.split("\n## ")[1:]:
        title, _, body = part.partition("\n")
        pages = [(label, os.path.normpath(os.path.join("docs/site", target))[:-3]) for label, target in LINK.findall(body)]
        yield title, pages


def exists(app, page):
    return (pathlib.Path(app.srcdir) / f"{page}.md").is_file()


def title_of(app, page):
    return (pathlib.Path(app.srcdir) / f"{page}.md").read_text().partition("\n")[0].removeprefix("# ")


def check_pages(app):
    """Every page is listed by its title, and every listed page exists."""
    root = pathlib.Path(app.srcdir)
    written = {f"docs/{file.stem}" for file in (root / "docs").glob("*.md")} - {app.config.root_doc}
    listed = [page for _, pages in groups(app) for _, page in pages]
    mapped = {f"docs/{target[:-3]}" for _, target in LINK.findall((root / "docs/index.md").read_text()) if re.fullmatch(r"[\w-]+\.md", target)}
    wrong = [f"docs/site/navigation.md lists {page} twice" for page in sorted({page for page in listed if listed.count(page) > 1})]
    wrong += [f"docs/site/navigation.md lists {page}.md, which does not exist" for page in listed if not exists(app, page)]
    wrong += [f"docs/site/navigation.md does not list {page}.md" for page in sorted(written - set(listed))]
    labels = [(label, page) for _, pages in groups(app) for label, page in pages if page.startswith("docs/") and exists(app, page)]
    wrong += [f"docs/site/navigation.md calls {page}.md {label!r}, which is not its title" for label, page in labels if label != title_of(app, page)]
    wrong += [f"docs/index.md does not link to {page}.md" for page in sorted(written - mapped)]
    if wrong:
        raise ExtensionError("\n".join(wrong))


def add_navigation(app, page, source):
    """The map of the documents gets the navigation at its end, hidden; a page that is reached by links alone says so."""
    if page == app.config.root_doc:
        for title, pages in groups(app):
            lines = "\n".join(f"{label} <../{target}>" for label, target in pages)
            source[0] += f"\n\n```{{toctree}}\n:hidden:\n:caption: {title}\n\n{lines}\n```\n"
    elif page not in {target for _, pages in groups(app) for _, target in pages}:
        source[0] = f"---\norphan: true\n---\n\n{source[0]}"


# ---- search ------------------------------------------------------------------------------------------------------------


class Words(SearchEnglish):
    """English, as Sphinx has it, and the names and numbers that it drops: its script skips numbers and splits B-MS+ into
    two words of one and two letters. Here B-MS is also the word bms, B-MS+ is bmsplus, and 409 is n409."""

    js_splitter_code = """
var splitQuery = (query) => query
    .replace(/\\bb-?ms(\\+|-plus\\b)/gi, " bmsplus ").replace(/\\bb-ms\\b/gi, " bms ")
    .split(/[^\\p{Letter}\\p{Number}_\\p{Emoji_Presentation}]+/gu)
    .filter(term => term)
    .map(term => /^[0-9]+$/.test(term) ? "n" + term : term);
"""

    def split(self, input):
        words = [f"n{word}" if re.fullmatch("[0-9]+", word) else word for word in super().split(input)]
        names = re.findall(r"\bb-?ms\b(\+|-plus\b)?", input, re.IGNORECASE)
        return words + ["bms"] * bool(names) + ["bmsplus"] * any(names)


# ---- links to files ----------------------------------------------------------------------------------------------------


def shown_page(app, path):
    """The page that shows a file or a folder of the repository."""
    return f"{SHOWN}/{path}/index" if (pathlib.Path(app.srcdir) / path).is_dir() else f"{SHOWN}/{path}"


def target_of(app, page, link):
    """The file or folder that a link of a page leads to, relative to the repository; None where it is a page, or none."""
    path = os.path.normpath(os.path.join(os.path.dirname(page), link.split("#")[0]))
    here = pathlib.Path(app.srcdir) / path
    is_page = path.endswith(".md") and path[:-3] in app.env.found_docs
    return None if is_page or link.startswith("#") or path.startswith("..") or not here.exists() else path


def link_files(app, doctree):
    page = app.env.docname
    files = app.env.metadata[page].setdefault("files", [])
    for node in [*doctree.findall(addnodes.download_reference), *doctree.findall(addnodes.pending_xref)]:
        path = target_of(app, page, node["reftarget"])
        if path is None or path.endswith(PICTURES):
            continue
        files.append(path)
        uri = app.builder.get_relative_uri(page, shown_page(app, path))
        node.replace_self(nodes.reference("", "", *node.children, internal=True, refuri=uri))


def language_of(path):
    try:
        return "yaml" if path.suffix == ".cff" else get_lexer_for_filename(path.name).aliases[0]
    except (ClassNotFound, IndexError):
        return "none"


def listing(root, path):
    """The files and folders in a folder, as HTML, and their paths."""
    inside = sorted(entry for entry in (root / path).iterdir() if not entry.name.startswith((".", "__")))
    rows = [f'<li><a href="{html.escape(e.name)}{"/index" if e.is_dir() else ""}.html">{html.escape(e.name)}</a></li>' for e in inside]
    return f"<ul>{''.join(rows)}</ul>", [str(e.relative_to(root)) for e in inside]


def show_files(app):
    """A page for every file and folder that some page links to."""
    root, done = pathlib.Path(app.srcdir), set()
    todo = [path for data in app.env.metadata.values() for path in data.get("files", ())]
    while todo:
        path = todo.pop()
        if path in done:
            continue
        done.add(path)
        file = root / path
        if file.is_dir():
            body, inside = listing(root, path)
            todo += inside
        elif file.stat().st_size > LARGEST:
            body = f"<p>{file.stat().st_size} bytes, in the sources.</p>"
        else:
            text = file.read_text(encoding="utf-8", errors="replace")
            body = app.builder.highlighter.highlight_block(text, language_of(file), force=True)
        heading = f"<h1>{html.escape(path)}</h1>"
        yield shown_page(app, path), {"title": path, "body": heading + body}, "page.html"


# ---- anchors -----------------------------------------------------------------------------------------------------------


def name_headings(app, doctree):
    """The anchor of a forge comes first, and that of Sphinx stays beside it."""
    for section in doctree.findall(nodes.section):
        _, hash_, anchor = section.get("myst-anchor", "").partition("#")
        if hash_ and anchor not in section["ids"]:
            section["ids"].insert(0, anchor)


# ---- the theme ---------------------------------------------------------------------------------------------------------


def mend_theme(app, error):
    """Debian's furo has a script that is a module in two files, which browsers do not load from a disk; takes a style sheet
    from the root of a web server; and has lost the rule by which dark systems get dark pages. All of it is put right here."""
    if error is not None:
        return
    static = pathlib.Path(app.outdir) / "_static"
    script, spy = static / "scripts/furo.js", static / "scripts/gumshoe-patched.js"
    if spy.exists():
        script.write_text(re.sub(r"^import Gumshoe from .*$", lambda _: spy.read_text(), script.read_text(), flags=re.MULTILINE))
    style, normal = static / "styles/furo.css", pathlib.Path("/usr/share/nodejs/normalize.css/normalize.css")
    text = style.read_text()
    if normal.exists():
        text = re.sub(r"@import url\(/javascript/normalize[^)]*\);", lambda _: normal.read_text(), text)
    dark = re.search(r'body\[data-theme="dark"\] (\{[^}]*--color-background-primary[^}]*\})', text)
    if dark and "prefers-color-scheme" not in text:
        text += f'\n@media not print {{ @media (prefers-color-scheme: dark) {{ body:not([data-theme="light"]) {dark[1]} }} }}\n'
    style.write_text(text)


def setup(app):
    for name in ("haproxy", "layers", "picture"):  # blocks of these languages are shown as they are
        app.add_lexer(name, TextLexer)
    app.add_search_language(Words)
    app.connect("builder-inited", check_pages)
    app.connect("source-read", add_navigation)
    app.connect("doctree-read", link_files, priority=100)
    app.connect("doctree-read", name_headings, priority=101)
    app.connect("html-collect-pages", show_files)
    app.connect("build-finished", mend_theme)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
