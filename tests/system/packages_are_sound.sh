#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The Debian packages build from a clean clone of the last commit, lintian finds no error in them, and their program,
# manual pages, completion, library and Python package work. posse-server, posse-redis and python3-posse need neither
# MPI nor HDF5, and the server of posse-server serves. `make packages` runs this, because it takes too long for
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

the_package() { echo "$build_dir/packages/$1"_*.deb; }

# Packages without MPI and HDF5: by what they declare, and by what their files load.
for name in posse-server posse-redis python3-posse; do
    dpkg-deb -f "$(the_package $name)" Depends Pre-Depends Recommends >"$scratch/needs"
    ! grep -E 'mpi|hdf5|hwloc|gnuplot' "$scratch/needs" >&2 || die "$name needs these"
    mkdir "$scratch/$name"
    dpkg-deb -x "$(the_package $name)" "$scratch/$name"
    find "$scratch/$name" -type f \( -path '*/bin/*' -o -name '*.so' \) -exec ldd {} + >"$scratch/libraries"
    ! grep -E 'lib(mpi|hdf5|hwloc)' "$scratch/libraries" >&2 || die "$name loads these"
    ! grep 'not found' "$scratch/libraries" >&2 || die "$name lacks these"
done
dpkg-deb -f "$(the_package posse)" Depends | grep -q hdf5 || die "posse does not depend on HDF5"
dpkg-deb -f "$(the_package posse)" Conflicts | grep -q posse-server || die "posse and posse-server have the same files, and no conflict"

# dpkg installs posse-server in a root of its own, where its dependencies are not, and it serves from there.
server_root=$scratch/server-root
mkdir -p "$server_root/var/lib/dpkg" "$scratch/served"
: >"$server_root/var/lib/dpkg/status"
quietly fakeroot dpkg --root="$server_root" --force-depends --force-not-root --force-script-chrootless --log="$scratch/dpkg.log" \
    --install "$(the_package posse-server)"
[ -e "$server_root/lib/systemd/system/posse.service" ] || die "posse-server has no unit for systemd"
"$server_root/usr/bin/posse" serve --listen 127.0.0.1:0 --database "$scratch/served/posse.db" >"$scratch/served/said" 2>&1 &
server=$!
trap 'kill $server 2>/dev/null || true' EXIT
until grep -q 'http://' "$scratch/served/said"; do
    kill -0 $server 2>/dev/null || die "the server does not start: $(cat "$scratch/served/said")"
    sleep 0.1
done
where=$(grep -o 'http://[0-9.:]*' "$scratch/served/said" | head -1)
curl -sS --fail-with-body "$where/v1/posses" -d '{"name": "ads", "arms": 3, "prior": "beta", "learners": ["ucb"]}' >"$scratch/served/made"
curl -sS --fail-with-body "$where/v1/posses/ads/decide" -d '{}' | grep -q '"token"' || die "the server makes no decision"
kill $server
wait $server || die "the server ends with $?"
trap - EXIT

# The others, as they are installed together.
root=$scratch/root
mkdir "$root"
for package in "$build_dir"/packages/*.deb; do
    case $package in *-dbgsym_* | */posse-server_*) continue ;; esac
    dpkg-deb -x "$package" "$root"
done
libraries=$(dirname "$(find "$root/usr/lib" -name libposse.so.0.\*.\* -o -name 'libposse.so.[1-9]*.*' | head -1)")

export MANPATH=$root/usr/share/man
for page in "1 posse" "1 posse-run" "3 posse"; do
    man $page 2>&1 | grep -q "^NAME" || die "man $page shows nothing"
done
man 1 posse-serve 2>&1 | tr -s '[:space:]' ' ' | grep -q 'decide,learn ads.*docs/serving.md' ||
    die "posse-serve(1) does not show a line of tokens, or the guides"
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
