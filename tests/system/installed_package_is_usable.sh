#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# examples/hello.c builds against the installed package with CMake and pkg-config, shared and static, and always prints
# the same. The installed tree may be moved. A request for another version is refused.
. "$(dirname "$0")/scripting.sh"

hello=$source_dir/examples/hello.c
rm -rf "$scratch"/*
quietly cmake --install "$build_dir" --prefix "$scratch/first"
mv "$scratch/first" "$scratch/prefix"

consumer() { # NAME VERSION
    cmake -G Ninja -S "$here/consumer" -B "$scratch/$1" -DCMAKE_PREFIX_PATH="$scratch/prefix" \
        -DHELLO="$hello" -DWANTED="$2"
}

PKG_CONFIG_PATH=$(dirname "$(find "$scratch/prefix" -name posse.pc)")
export PKG_CONFIG_PATH
version=$(pkg-config --modversion posse)
library_path=$(pkg-config --variable=libdir posse)
[ "$("$scratch/prefix/bin/posse" --version | grep -o '[0-9.]*$')" = "$version" ] || die "the program is not $version"

quietly consumer right "$version"
quietly cmake --build "$scratch/right"
cc -o "$scratch/hello_pc" "$hello" $(pkg-config --cflags --libs posse)
cc -o "$scratch/hello_pc_static" "$hello" -static $(pkg-config --cflags --static --libs posse)

export LD_LIBRARY_PATH=$library_path
for program in right/hello_shared right/hello_static hello_pc hello_pc_static; do
    "$scratch/$program" | diff -u "$source_dir/examples/hello.out" - || die "$program does not print hello.out"
done

# Each program is linked with the library that it asks for. A fallback to the other one would go unnoticed above.
unset LD_LIBRARY_PATH
needs() { objdump -p "$scratch/$1" | grep -q 'NEEDED *libposse'; }
needs right/hello_shared && needs hello_pc || die "a program meant to use the shared library does not"
! needs right/hello_static && ! needs hello_pc_static || die "a program meant to use the static library does not"

# The example plugins compile against the installed header, outside the tree, and run from an experiment file.
plugins=
for source in "$source_dir"/examples/plugins/*.c; do
    plugin=$scratch/$(basename "$source" .c).so
    cc -Wall -Wextra -Werror -O2 -ffp-contract=off -shared -fPIC $(pkg-config --cflags posse) "$source" -o "$plugin"
    plugins="$plugins --plugin $plugin"
done
for command in check 'run --no-plots -q'; do
    (cd "$scratch" && prefix/bin/posse $command $plugins "$source_dir/examples/plugins/own_kinds.yaml") >"$scratch/own_kinds.out" ||
        die "posse $command with the example plugins ends with $?"
done
diff -u "$source_dir/examples/plugins/own_kinds.out" "$scratch/own_kinds.out" || die "the example plugins have other results"

IFS=. read -r major minor patch <<<"$version"
for wrong in 99.0 0.0.1 "$major.$((minor + 1))" "$major.$minor.$((patch + 1))"; do
    rm -rf "$scratch/wrong"
    ! consumer wrong "$wrong" >"$scratch/refusal" 2>&1 || die "version $version was taken for $wrong"
    tr -s "[:space:]" " " <"$scratch/refusal" | grep -q "compatible with requested version" || die "$wrong: refused, but not for its version"
    ! pkg-config --exists "posse = $wrong" || die "pkg-config takes $version for $wrong"
done
