#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Under a Python that counts every reference, the module leaks none.
. "$(dirname "$0")/scripting.sh"

debugger=/usr/bin/python3-dbg
needs $debugger
headers=$($debugger -c "import sysconfig; print(sysconfig.get_path('include'))")
# With the headers of this Python, the interpreter counts references, and not the module.
subbuild counted python -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS="-O0 -I$headers"
PYTHONPATH=$scratch/counted/python $debugger -B "$source_dir/tests/python/references.py"
