"""The program: ``python -m posse run FILE`` is ``posse run FILE``."""

import ctypes
import os
import sys

from posse import _posse

# Learners in a plugin call the library, which is in the module.
ctypes.CDLL(_posse.__file__, mode=os.RTLD_NOW | os.RTLD_GLOBAL)

sys.stdout.flush()
sys.exit(_posse.main(["posse", *sys.argv[1:]]))
