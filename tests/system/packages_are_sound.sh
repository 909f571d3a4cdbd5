#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The Debian packages build from a clean clone of the last commit, lintian finds no error in them, and their program,
# manual pages, completion, library and Python package work. `make packages` runs this, because it takes too long for
# `make test`.
. "$(dirname "$0")/scripting.sh"

rm -rf "$scratch" "$build_dir/packages"
mkdir -p "$scratch" "$build_dir/packages"
quietly git clone "$source_dir" "$scratch/posse"
(cd "$scratch/posse" && DEB_BUILD_OPTIONS="parallel=$(nproc) ${DEB_BUILD_OPTIONS-}" dpkg-buildpackage -us -uc -b) \
    >"$scratch/build.log" 2>&1 || { tail -40 "$scratch/build.log" >&2 && die "dpkg-buildpackage failed"; }
tail -4 "$scratch/build.log"
lintian --allow-root --fail-on error "$scratch"/*.changes || die "lintian finds errors"
mv "$scratch"/*.deb "$build_dir/packages"

root=$scratch/root
mkdir "$root"
for package in "$build_dir"/packages/*.deb; do
    case $package in *-dbgsym_*) continue ;; esac
    dpkg-deb -x "$package" "$root"
done
libraries=$(dirname "$(find "$root/usr/lib" -name libposse.so.0.\*.\* -o -name 'libposse.so.[1-9]*.*' | head -1)")

export MANPATH=$root/usr/share/man
for page in "1 posse" "1 posse-run" "3 posse"; do
    man $page 2>&1 | grep -q "^NAME" || die "man $page shows nothing"
done
export PATH=$root/usr/bin:$PATH
posse --version >/dev/null || die "the program does not run"
(
    . "$root/usr/share/bash-completion/completions/posse"
    COMP_WORDS=(posse run --th) COMP_CWORD=2
    _posse
    [ "${COMPREPLY[*]}" = --threads ]
) || die "the completion does not complete"
[ -e "$root/usr/share/zsh/vendor-completions/_posse" ] || die "there is no completion for zsh"
(cd "$scratch" && posse run -q --no-plots "$root/usr/share/doc/posse/examples/coins.yaml" >/dev/null 2>&1) || [ $? = 1 ] ||
    die "the installed example does not run"

PKG_CONFIG_PATH=$libraries/pkgconfig cc -o "$scratch/hello" "$root/usr/share/doc/posse/examples/hello.c" \
    $(PKG_CONFIG_PATH=$libraries/pkgconfig pkg-config --cflags --libs posse)
LD_LIBRARY_PATH=$libraries "$scratch/hello" | diff "$source_dir/examples/hello.out" - || die "hello prints something else"
PYTHONPATH=$root/usr/lib/python3/dist-packages /usr/bin/python3 -B -c '
import posse
p = posse.Posse(arms=5, prior="beta", learners=["ucb", "epsilon-greedy"])
p.learn(p.decide(), 1)
assert posse.__file__.startswith("'"$root"'")' || die "the Python package does not work"
ls "$build_dir/packages"
