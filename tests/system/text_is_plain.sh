#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Documents, comments and messages have no phrase of the list in tools/prose.py. Tutorials have short sentences, pages
# are not too long and begin with a paragraph, and every kind and option of the program is documented. `make prose`
# prints the length of sentences of each document.
. "$(dirname "$0")/scripting.sh"
cd "$source_dir"
prose() { python3 -B tools/prose.py "$@"; }

prose --self-test || die "tools/prose.py does not find what it should"
failed=0
prose README.md CHANGELOG.md CONTRIBUTING.md CITATION.cff docs examples experiments || failed=1
prose Makefile CMakeLists.txt cmake debian packaging tools tests/system || failed=1
prose include lib app bindings bench tests || failed=1
prose --help-of "$build_dir/posse" || failed=1
prose --pages || failed=1
prose --options "$build_dir/posse" || failed=1
[ $failed = 0 ] || die "see above; CONTRIBUTING.md has the rules of style"
