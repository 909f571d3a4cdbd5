#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Under a Python that counts every reference, the module leaks none.
. "$(dirname "$0")/scripting.sh"

debugger=/usr/bin/python3-dbg
[ -x $debugger ] || { echo "needs python3-dbg, skipped" && exit 0; }
headers=$($debugger -c "import sysconfig; print(sysconfig.get_path('include'))")
# With the headers of this Python, the interpreter counts references, and not the module.
subbuild counted python -DCMAKE_C_FLAGS="-I$headers"
PYTHONPATH=$scratch/counted/python $debugger -B "$source_dir/tests/python/references.py"
