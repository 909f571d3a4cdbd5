#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Makes a page of every experiment of the tree, with a few rounds, and opens it in headless Chromium. A page shows a
# guarantee only for selectors that a theorem covers, and names the condition that fails for the others. It also warns of
# clipped rewards and of beliefs that rewards contradict. The shares of the best learner in the matching check add up to
# 1, or the page says why there is no check.
. "$(dirname "$0")/scripting.sh"
cd "$scratch" && rm -rf ./*

needs python3
find_chromium

# With few rounds claims may fail, which is status 1. An experiment that refuses so few rounds is played as it is.
# Without a PATH there is no gnuplot, so no pictures are drawn.
for file in "$source_dir"/experiments/*/*.yaml; do
    out=results/$(basename "$(dirname "$file")")
    "$build_dir/posse" run -q "$file" --runs 2 --rounds 40 --no-plots -o "$out" >quiet 2>&1 || [ $? = 1 ] ||
        "$build_dir/posse" run -q "$file" --runs 2 --no-plots -o "$out" >quiet 2>&1 || [ $? = 1 ] || die "$file failed: $(cat quiet)"
done
for folder in results/*/*/; do PATH='' "$build_dir/posse" report "$folder" >quiet 2>&1 || true; done
python3 "$here/guarantees_have_theorems.py" "$chromium" results
