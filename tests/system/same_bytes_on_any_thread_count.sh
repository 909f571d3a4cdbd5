#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Every CSV file and results.h5 have the same bytes when a run is repeated, and with any number of threads.
. "$(dirname "$0")/scripting.sh"
cd "$scratch" && rm -rf ./*

for threads in 1 2 3 1; do
    mkdir -p last && rm -rf now
    quietly "$build_dir/posse" run "$source_dir/tests/experiment.yaml" --no-plots --threads $threads -o now
    rm -rf last.files && ls now/small | grep -v manifest.json >now.files
    [ ! -d first ] || for file in $(cat now.files); do
        cmp "first/small/$file" "now/small/$file" || die "$threads threads make another $file"
    done
    [ -d first ] || cp -r now first
done
