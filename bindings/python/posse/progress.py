# SPDX-License-Identifier: MIT
"""The progress of an experiment: a bar in a terminal or a notebook, nothing in a pipe."""

import contextlib
import sys

from posse import _posse


@contextlib.contextmanager
def progress_teller(progress, name):
    """A function of the rounds played and the rounds in all, or None: progress is not shown."""
    if callable(progress):
        yield progress
    elif not progress:
        yield None
    elif _in_notebook():
        yield from _notebook_bar()
    else:
        bar = _posse._Bar(name)
        try:
            yield bar.show
        finally:
            bar.close()


def _in_notebook():
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return shell is not None and hasattr(shell, "kernel")


def _notebook_bar():
    from IPython.display import HTML, display

    def bar(rounds, total):
        return HTML(f'<progress value="{rounds}" max="{total}"></progress> {rounds / total:.0%}')

    shown = display(bar(0, 1), display_id=True)
    try:
        yield lambda rounds, total: shown.update(bar(rounds, total))
    finally:
        shown.update(HTML(""))
