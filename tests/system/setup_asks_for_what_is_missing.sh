#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# tools/setup.sh does nothing where all is there, also where it did not come as packages; names what is missing; and says
# how to install it where it cannot.
. "$(dirname "$0")/scripting.sh"

setup=$source_dir/tools/setup.sh
rm -rf "$scratch"/*

# A machine with nothing but a few commands, `installed` as packages and others by hand, and a user who is not root.
machine() { # COMMAND...
    rm -rf "$scratch/bin"
    mkdir "$scratch/bin"
    for tool in bash env cat grep sed; do ln -s "$(command -v $tool)" "$scratch/bin/$tool"; done
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
[ -z "$out" ] && [ ! -e "$scratch/called" ] || die "all is there, and yet: $out"

installed="libc6-dev" machine apt-get sudo cmake cc objcopy make
expect 0 library
[ -z "$out" ] && [ ! -e "$scratch/called" ] || die "all is there, if not as packages, and yet: $out"

for tools in "apt-get" "apt-get sudo"; do
    installed="gcc libc6-dev binutils" machine $tools
    expect 1 library
    case $out in *"installing: cmake make"*"as root:"*"apt-get install --no-install-recommends cmake make"*) ;; *) die "it says: $out" ;; esac
done

installed="cmake gcc libc6-dev binutils make" machine
expect 0 build
case $out in *"not a Debian system"*"has to be there: ninja-build"*) ;; *) die "it says: $out" ;; esac
