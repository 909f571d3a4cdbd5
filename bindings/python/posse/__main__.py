# SPDX-License-Identifier: MIT
"""The program: ``python -m posse run FILE`` is ``posse run FILE``."""

import ctypes
import os
import sys

from posse import _posse


def main():
    """Runs the program with the arguments of this process, and ends the process."""
    # Learners in a plugin call functions of the library, which is in the module, so its symbols must be global.
    ctypes.CDLL(_posse.__file__, mode=os.RTLD_NOW | os.RTLD_GLOBAL)
    sys.stdout.flush()
    raise SystemExit(_posse.main(["posse", *sys.argv[1:]]))


if __name__ == "__main__":
    main()
