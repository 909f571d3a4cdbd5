# SPDX-License-Identifier: MIT
"""The documents as a site, made by Sphinx from the same Markdown that a forge shows. `make docs` builds it.

Sphinx reads the whole repository, so that links between docs/ and the files around it work as on a forge. This folder has
the rest: navigation.md, the front page, a style sheet, and the hooks in site_hooks.py.
"""
import pathlib
import re
import sys

here = pathlib.Path(__file__).resolve().parent
root = here.parent.parent
sys.path.insert(0, str(here))

header = (root / "include/posse.h").read_text()
release = version = ".".join(re.findall(r"^#define POSSE_VERSION_\w+ (\d+)", header, re.MULTILINE))
project = "posse"
language = "en"

extensions = ["myst_parser", "site_hooks"]
root_doc = "docs/index"
include_patterns = ["*.md", "docs/*.md", "examples/**.md", "experiments/**.md"]
exclude_patterns = ["build", "results", "docs/site", "**/node_modules"]
myst_heading_anchors = 4
highlight_language = "none"
suppress_warnings = ["misc.highlighting_failure"]  # JSON with an ellipsis, say

html_theme = "furo"
html_title = f"posse {release}"
html_additional_pages = {"index": "landing.html"}
html_baseurl = ""
html_copy_source = False
html_show_copyright = False
html_show_search_summary = False  # it would be fetched, which browsers refuse for files
html_static_path = ["static", "../pictures/loop.svg"]
html_css_files = ["site.css"]
html_use_index = False
pygments_style = "friendly"
pygments_dark_style = "github-dark"
templates_path = ["templates"]
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#0b6e75", "color-brand-content": "#0b6e75"},
    "dark_css_variables": {"color-brand-primary": "#5cc8cf", "color-brand-content": "#5cc8cf"},
}
