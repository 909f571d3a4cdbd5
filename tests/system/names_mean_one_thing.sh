#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The name of a function shows which function it is. To show that the check can fail, one thing at a time is planted in a
# copy of the sources.
. "$(dirname "$0")/scripting.sh"

check() { # TREE
    /usr/bin/python3 -B "$here/names_mean_one_thing.py" "$1"
}

check "$source_dir" || die "these names do not"

# finds TEXT (FILE LINE)...: in a fresh copy with each line in its file, the check fails and its report has the text.
finds() {
    local text=$1
    shift
    rm -rf "$scratch/copy" && mkdir -p "$scratch/copy"
    cp -r "$source_dir"/{lib,app,bindings,include} "$scratch/copy"
    for (( ; $#; )); do
        echo "$2" >>"$scratch/copy/$1"
        shift 2
    done
    ! check "$scratch/copy" >"$scratch/said" || die "it does not find: $text"
    grep -qF "$text" "$scratch/said" || die "it does not say \"$text\", but: $(cat "$scratch/said")"
}

finds 'app/serve/server.c: batch_touch needs a word of its file' app/serve/server.c 'static bool batch_touch(int x) {'
finds 'lib/abreast/device/notes.h: ucb_best needs a word of its file' lib/abreast/device/notes.h 'WIDE int ucb_best(int x) {' \
    lib/learner/ucb.c 'static int ucb_best(int x) {'
finds 'lib/abreast/device/cuda.cu: ucb_best needs a word of its file' lib/abreast/device/cuda.cu 'static void ucb_best(int x) {' \
    lib/learner/ucb.c 'static int ucb_best(int x) {'
finds 'batch_touch is the name of different functions' bindings/redis/module.c 'bool batch_touch(int x) {' \
    bindings/redis/module.h 'bool batch_touch(int x);'
finds 'lib/selector/ucb.c: update is one word' lib/selector/ucb.c 'static void update(void *state) {'
