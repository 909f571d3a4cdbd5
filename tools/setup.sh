#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Says what is missing and installs it, as Debian packages; says and does nothing when all is there. Without root or sudo,
# it prints the command that would install it and fails.
#   tools/setup.sh library  what `make library` needs
#   tools/setup.sh build    what `make` needs
#   tools/setup.sh python   and `make python`
#   tools/setup.sh test     and `make test`, coverage, fuzz, format
#   tools/setup.sh docs     what `make docs` needs
#   tools/setup.sh page     what `make test-page` needs
#   tools/setup.sh bench    what `make bench` needs: NumPy, on a good BLAS; and valgrind for bench-instructions
#   tools/setup.sh bench-serve  what `make bench-serve` needs
#   tools/setup.sh tournament  what `make tournament` needs
#   tools/setup.sh packages    what `make packages` needs
#   tools/setup.sh cross    and the aarch64 leg of same_bits, which is skipped without
set -eu

library="cmake gcc libc6-dev binutils make"
build="$library ninja-build pkg-config libfyaml-dev libjansson-dev libhdf5-dev zlib1g-dev gnuplot-nox libjs-dygraphs
       libevent-dev libsqlite3-dev libssl-dev"
python="$build python3-dev python3-numpy"
docs="python3-sphinx python3-myst-parser furo"
test="$python $docs g++ clang clang-format clang-tidy libclang-rt-dev libcmocka-dev libmpfr-dev libgmp-dev librandom123-dev
      valgrind gcovr python3-dbg python3-h5py python3-hypothesis python3-scipy python3-matplotlib python3-sklearn mypy chromium libopenmpi-dev openmpi-bin
      man-db zsh curl sqlite3 redis-server redis-tools python3-redis"
page="$build python3 chromium"
bench="$build python3-numpy libopenblas0-pthread valgrind"
bench_serve="$build python3 redis-server postgresql"
tournament="$build python3"
packages="$python git debhelper dpkg-dev fakeroot dh-python lintian man-db libcmocka-dev libmpfr-dev libgmp-dev librandom123-dev
          libopenmpi-dev"
cross="$test gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user"

case ${1-} in
library | build | python | docs | test | page | bench | bench-serve | tournament | packages | cross)
    name=${1//-/_}
    wanted=${!name}
    ;;
*) echo "usage: $0 library|build|python|docs|test|page|bench|bench-serve|tournament|packages|cross" >&2 && exit 2 ;;
esac

# What did not come as a Debian package may be there all the same.
is_there() { # PACKAGE
    case $1 in
    gcc) command -v cc ;;
    ninja-build) command -v ninja ;;
    binutils) command -v objcopy ;;
    gnuplot-nox) command -v gnuplot ;;
    libfyaml-dev) pkg-config --exists libfyaml ;;
    libjansson-dev) pkg-config --exists jansson ;;
    libhdf5-dev) pkg-config --exists hdf5-serial ;;
    zlib1g-dev) pkg-config --exists zlib ;;
    libevent-dev) pkg-config --exists libevent ;;
    libsqlite3-dev) pkg-config --exists sqlite3 ;;
    libssl-dev) pkg-config --exists libcrypto ;;
    libc6-dev) [ -e /usr/include/stdio.h ] ;;
    python3-numpy) python3 -c 'import numpy' ;;
    python3-sphinx) /usr/bin/python3 -c 'import sphinx' ;;
    python3-myst-parser) /usr/bin/python3 -c 'import myst_parser' ;;
    furo) /usr/bin/python3 -c 'import furo' ;;
    lib*) false ;;
    *) command -v "$1" ;;
    esac >/dev/null 2>&1
}

# dpkg-query fails when it has never heard of a package; that is one kind of missing.
present=" $(dpkg-query --show --showformat='${db:Status-Status}=${Package} ' $wanted 2>/dev/null || true)"
missing=
for package in $wanted; do
    case "$present" in *" installed=$package "*) continue ;; esac
    is_there "$package" || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

if ! command -v apt-get >/dev/null; then
    echo "not a Debian system; what these packages hold has to be there:$missing" >&2
    exit 0
fi

echo "installing:$missing"
sudo=
[ "$(id -u)" = 0 ] || sudo=sudo
install="env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends"
if { [ -z "$sudo" ] || command -v sudo >/dev/null; } && $sudo apt-get update -qq && $sudo $install $missing; then exit 0; fi
echo "they could not be installed; as root:" >&2
echo "  apt-get install --no-install-recommends$missing" >&2
exit 1
