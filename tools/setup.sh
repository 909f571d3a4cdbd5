#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Installs the Debian packages that are missing; says and does nothing when all are there.
#   tools/setup.sh build    what `make` needs
#   tools/setup.sh python   and `make python`
#   tools/setup.sh test     and `make test`, coverage, fuzz, format
#   tools/setup.sh page     what `make test-page` needs
#   tools/setup.sh bench    what `make bench` needs: NumPy, on a good BLAS; and valgrind for bench-instructions
#   tools/setup.sh tournament  what `make tournament` needs
#   tools/setup.sh cross    and the aarch64 leg of same_bits, which is skipped without
set -eu

build="cmake ninja-build gcc libc6-dev binutils make pkg-config libfyaml-dev libjansson-dev libhdf5-dev zlib1g-dev
       gnuplot-nox libjs-dygraphs"
python="$build python3-dev python3-numpy"
test="$python g++ clang clang-format clang-tidy libclang-rt-dev libcmocka-dev libmpfr-dev libgmp-dev librandom123-dev
      valgrind gcovr python3-dbg python3-h5py python3-hypothesis python3-scipy python3-matplotlib python3-sklearn mypy chromium libopenmpi-dev openmpi-bin"
page="$build python3 chromium"
bench="$build python3-numpy libopenblas0-pthread valgrind"
tournament="$build python3"
cross="$test gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user"

case ${1-} in
build) wanted=$build ;;
python) wanted=$python ;;
test) wanted=$test ;;
page) wanted=$page ;;
bench) wanted=$bench ;;
tournament) wanted=$tournament ;;
cross) wanted=$cross ;;
*) echo "usage: $0 build|python|test|page|bench|tournament|cross" >&2 && exit 2 ;;
esac

if ! command -v dpkg-query >/dev/null; then
    echo "not a Debian system; what these packages hold has to be there:" $wanted >&2
    exit 0
fi

# dpkg-query fails when it has never heard of a package; that is one kind of missing.
present=$(dpkg-query --show --showformat='${db:Status-Status} ${Package}\n' $wanted 2>/dev/null || true)
missing=
for package in $wanted; do
    case "
$present
" in
    *"
installed $package
"*) ;;
    *) missing="$missing $package" ;;
    esac
done
[ -n "$missing" ] || exit 0

echo "installing:$missing"
sudo=
[ "$(id -u)" = 0 ] || sudo=sudo
$sudo apt-get update -qq
$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing
