#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The Python module under a Python that counts every reference: whatever is made and freed, none is left over.
. "$(dirname "$0")/scripting.sh"

debugger=/usr/bin/python3-dbg
[ -x $debugger ] || { echo "needs python3-dbg, skipped" && exit 0; }
headers=$($debugger -c "import sysconfig; print(sysconfig.get_path('include'))")
# Its headers first: with them references are counted by the interpreter, not by the module itself.
subbuild counted python -DCMAKE_C_FLAGS="-I$headers"
PYTHONPATH=$scratch/counted/python $debugger -B "$source_dir/tests/python/references.py"
