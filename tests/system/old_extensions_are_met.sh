#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Extensions that were built against the header of an earlier version: those of 0.2.0 load, and an experiment has the
# same bytes with them as with those of this version. One of 0.1.0 is refused, with its file and the reason.
. "$(dirname "$0")/scripting.sh"
old=$source_dir/tests/saved/extensions
rm -rf "$scratch"/*

plugins() { # FOLDER HEADERS SOURCE...: options of the program for these plugins
    local folder=$scratch/$1 headers=$2 source plugin
    shift 2
    mkdir -p "$folder"
    for source in "$@"; do
        plugin=$folder/$(basename "$source" .c).so
        cc -O2 -ffp-contract=off -shared -fPIC -I"$headers" "$source" -o "$plugin" || die "$source does not compile"
        printf ' --plugin %s' "$plugin"
    done
}

run() { # FOLDER OPTION...
    local folder=$1
    shift
    quietly "$build_dir/posse" run "$source_dir/examples/plugins/own_kinds.yaml" --no-plots -q -o "$scratch/$folder" "$@"
}

run now/results $(plugins now "$source_dir/include" "$source_dir"/examples/plugins/*.c)
run 0.2.0/results $(plugins 0.2.0 "$old/0.2.0" "$old"/0.2.0/*.c)
same_results "$scratch/now/results/own-kinds" "$scratch/0.2.0/results/own-kinds"

refused=$(plugins 0.1.0 "$old/0.1.0" "$old"/0.1.0/*.c)
status=0
"$build_dir/posse" list $refused >"$scratch/out" 2>"$scratch/said" || status=$?
[ $status != 0 ] || die "an extension of 0.1.0 is taken"
for word in first_arm.so learner version; do
    grep -q "$word" "$scratch/said" || die "no \"$word\" in: $(cat "$scratch/said")"
done
