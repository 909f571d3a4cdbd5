#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Under a Python that counts every reference, the module leaks none. The target counted_module is the module for it.
. "$(dirname "$0")/scripting.sh"

needs /usr/bin/python3-dbg
module=$build_dir/tests/counted/posse/_posse.abi3.so
[ -e "$module" ] || die "the build was configured before python3-dbg was installed"
rm -rf "$scratch/posse"
cp -r "$build_dir/python/posse" "$scratch"
cp "$module" "$scratch/posse"
PYTHONPATH=$scratch /usr/bin/python3-dbg -B "$source_dir/tests/python/references.py"
