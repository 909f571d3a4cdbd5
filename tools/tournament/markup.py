# SPDX-License-Identifier: MIT
"""Elements of a page as text."""
from html import escape


def tag(name, text=None, **attributes):
    """An element. class_ stands for class, and an underscore inside a name for a hyphen."""
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(str(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    return f"<{name}{written}/>" if text is None else f"<{name}{written}>{text}</{name}>"
