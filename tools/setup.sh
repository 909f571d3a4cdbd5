#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Lists missing Debian packages and installs them. If nothing is missing, it prints and does nothing. If it cannot
# become root, or NO_INSTALL is set, it prints the command and fails.
#   tools/setup.sh library      packages for `make library`
#   tools/setup.sh build        for `make`
#   tools/setup.sh python       for `make python`
#   tools/setup.sh test         for `make test`, coverage, fuzz and format
#   tools/setup.sh docs         for `make docs`
#   tools/setup.sh page         for `make test-page`
#   tools/setup.sh bench        for `make bench`: NumPy on a fast BLAS, and valgrind for bench-instructions
#   tools/setup.sh bench-python  for `make bench-python`
#   tools/setup.sh bench-text   for `make bench-text`: sets of text
#   tools/setup.sh bench-serve  for `make bench-serve`
#   tools/setup.sh tournament   for `make tournament`
#   tools/setup.sh bakeoff      for `make bakeoff`: the packages whose data it plays
#   tools/setup.sh packages     for `make packages`
#   tools/setup.sh cross        for `make test-bits`
set -eu

library="cmake gcc libc6-dev binutils make"
build="$library ninja-build pkg-config libfyaml-dev libjansson-dev libhdf5-dev zlib1g-dev gnuplot-nox libjs-dygraphs
       libevent-dev libsqlite3-dev libssl-dev"
python="$build python3-dev python3-numpy"
docs="python3-sphinx python3-myst-parser furo"
test="$python $docs g++ clang llvm clang-format clang-tidy libclang-rt-dev libcmocka-dev libmpfr-dev libgmp-dev librandom123-dev
      valgrind gcovr python3-dbg python3-h5py python3-hypothesis python3-scipy python3-matplotlib python3-sklearn python3-pandas python3-nbclient python3-ipykernel mypy chromium libopenmpi-dev openmpi-bin
      man-db zsh curl sqlite3 prometheus redis-server redis-tools python3-redis locales
      nginx haproxy openssl git python3-pip python3-setuptools python3-wheel"
page="$build python3 chromium"
bench="$build python3-numpy libopenblas0-pthread valgrind"
bench_python="$python python3-pandas"
bench_text="$build python3 r-base-core r-cran-dslabs weka"
bench_serve="$build python3 redis-server postgresql"
tournament="$build python3"
bakeoff="$python python3-sklearn r-base-core r-cran-mlbench r-cran-kernlab r-cran-modeldata r-cran-ggplot2 r-cran-cardata
         r-cran-dplyr libfann-doc weka"
packages="$python git debhelper dpkg-dev fakeroot dh-python lintian man-db libcmocka-dev libmpfr-dev libgmp-dev librandom123-dev
          libopenmpi-dev curl"
cross="$test gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user"

case ${1-} in
library | build | python | docs | test | page | bench | bench-python | bench-text | bench-serve | tournament | bakeoff | packages | cross)
    name=${1//-/_}
    wanted=${!name}
    ;;
*) echo "usage: $0 library|build|python|docs|test|page|bench|bench-python|bench-text|bench-serve|tournament|bakeoff|packages|cross" >&2 && exit 2 ;;
esac

# Whether the content of a package is installed without the package.
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
    locales) [ -e /usr/share/i18n/locales/de_DE ] ;;
    python3-numpy) python3 -c 'import numpy' ;;
    python3-sphinx) /usr/bin/python3 -c 'import sphinx' ;;
    python3-myst-parser) /usr/bin/python3 -c 'import myst_parser' ;;
    furo) /usr/bin/python3 -c 'import furo' ;;
    prometheus) command -v promtool ;;
    lib*) false ;;
    *) command -v "$1" ;;
    esac >/dev/null 2>&1
}

# dpkg-query fails if it does not know a package, which then is missing.
present=" $(dpkg-query --show --showformat='${db:Status-Status}=${Package} ' $wanted 2>/dev/null || true)"
missing=
for package in $wanted; do
    case "$present" in *" installed=$package "*) continue ;; esac
    is_there "$package" || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

if ! command -v apt-get >/dev/null; then
    echo "not a Debian system; install the contents of these packages:$missing" >&2
    exit 0
fi

as_root() {
    echo "  apt-get install --no-install-recommends$missing" >&2
    exit 1
}
caller=${MAKELEVEL:+make}
caller=${caller:-$0}
count=$(set -- $missing && echo $#)
if [ -n "${NO_INSTALL-}" ]; then
    echo "$caller: $count Debian packages are missing, and NO_INSTALL is set. As root:" >&2
    as_root
fi

echo "$caller: installing $count missing Debian packages with apt-get:$missing (NO_INSTALL=1 make to only list them)"
sudo=
[ "$(id -u)" = 0 ] || sudo=sudo
# Another apt-get, such as the upgrades that run by themselves, may have the lock for some minutes.
get="apt-get -qq -o DPkg::Lock::Timeout=600"
install="env DEBIAN_FRONTEND=noninteractive $get install -y --no-install-recommends"
if { [ -z "$sudo" ] || command -v sudo >/dev/null; } && $sudo $get update && $sudo $install $missing; then exit 0; fi
echo "$caller: they could not be installed; run as root:" >&2
as_root
