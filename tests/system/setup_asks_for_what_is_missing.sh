#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# tools/setup.sh does nothing if everything is installed, also without packages. Otherwise it lists the missing packages
# before it installs them. If it cannot, or must not (NO_INSTALL=1), it prints the command. So does `make`.
. "$(dirname "$0")/scripting.sh"

setup=$source_dir/tools/setup.sh
rm -rf "$scratch"/*

# A machine with only a few commands, some `installed` as packages and others by hand, and a user who is not root.
machine() { # COMMAND...
    rm -rf "$scratch/bin"
    mkdir "$scratch/bin"
    for tool in bash env cat grep sed nproc; do ln -s "$(command -v $tool)" "$scratch/bin/$tool"; done
    printf '#!/bin/sh\necho 1000\n' >"$scratch/bin/id"
    printf '#!/bin/sh\nfor p in %s; do printf "installed=%%s " $p; done\nexit 1\n' "${installed-}" >"$scratch/bin/dpkg-query"
    for tool in "$@"; do printf '#!/bin/sh\necho "$0 $*" >>"%s/called"\nexit 1\n' "$scratch" >"$scratch/bin/$tool"; done
    chmod +x "$scratch"/bin/*
    rm -f "$scratch/called"
}

expect() { # STATUS GROUP
    local got=0
    out=$(PATH=$scratch/bin "$setup" "$2" 2>&1) || got=$?
    [ $got = "$1" ] || die "$2 exits with $got instead of $1: $out"
}

installed="cmake gcc libc6-dev binutils make" machine apt-get sudo
expect 0 library
[ -z "$out" ] && [ ! -e "$scratch/called" ] || die "everything is installed, but it prints: $out"

installed="libc6-dev" machine apt-get sudo cmake cc objcopy make
expect 0 library
[ -z "$out" ] && [ ! -e "$scratch/called" ] || die "everything is installed without packages, but it prints: $out"

for tools in "apt-get" "apt-get sudo"; do
    installed="gcc libc6-dev binutils" machine $tools
    expect 1 library
    case $out in *"installing 2 missing Debian packages with apt-get: cmake make (NO_INSTALL=1 make to only list them)"*"as root:"*"apt-get install --no-install-recommends cmake make"*) ;; *) die "it prints: $out" ;; esac
done

installed="cmake gcc libc6-dev binutils make" machine
expect 0 build
case $out in *"not a Debian system"*"contents of these packages: ninja-build"*) ;; *) die "it prints: $out" ;; esac

# With NO_INSTALL=1 nothing is called, and everything that needs the packages stops.
export NO_INSTALL=1
installed="gcc libc6-dev binutils" machine apt-get sudo
expect 1 library
case $out in *"2 Debian packages are missing, and NO_INSTALL is set"*"apt-get install --no-install-recommends cmake make") ;; *) die "with NO_INSTALL it prints: $out" ;; esac
for target in all check library; do
    out=$(cd "$source_dir" && PATH=$scratch/bin "$(command -v make)" --no-print-directory BUILD="$scratch/never" $target 2>&1) && die "make $target ends well without packages"
    case $out in "make: "*" Debian packages are missing, and NO_INSTALL is set"*) ;; *) die "make $target prints: $out" ;; esac
done
[ ! -e "$scratch/called" ] && [ ! -e "$scratch/never" ] || die "NO_INSTALL=1 installs or builds something"
