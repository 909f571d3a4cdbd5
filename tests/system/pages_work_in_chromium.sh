#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Opens the front page and every page of the paper's experiments, and pages with hostile names, in headless Chromium.
# The console stays empty, curves are drawn, a competitor can be switched off, and zooming works. Light, dark and
# phone-wide screenshots are in SCRATCH/screenshots, with EVERY=1 (make test-page) those of every page.
. "$(dirname "$0")/scripting.sh"
cd "$scratch" && rm -rf ./*

needs python3
find_chromium

# A few runs are enough for the pictures. With them claims may fail, which is status 1.
"$build_dir/posse" paper -q -o results --runs-scale 0.02 >quiet || [ $? = 1 ] || die "posse paper failed"
"$build_dir/posse" run -q "$here/hostile.yaml" --no-plots -o hostile >quiet || [ $? = 1 ] || die "hostile.yaml failed"
"$build_dir/posse" report hostile >quiet || die "posse report failed"
# A family of three experiments without pages.
for size in 1 2 4; do sed "s/^name: hostile/name: hostile-$size/" "$here/hostile.yaml" >hostile-$size.yaml; done
"$build_dir/posse" run -q hostile-?.yaml --no-plots -o hostile >quiet || [ $? = 1 ] || die "the family failed"
# A note, a file that is not text, and a pipe.
printf '# <b>A note</b>\n\nIt was <i>measured</i>.\n\n| a | b |\n| --- | --- |\n| 1 | </script> |\n\nx   y\n1   2\n' >hostile/note.md
printf '\xff\xfe' >hostile/other.md
mkfifo hostile/pipe.md
"$build_dir/posse" report --front hostile >quiet 2>complaints || die "posse report --front failed"
[ "$(grep -c 'is not on the page' complaints)" = 2 ] || die "notes that are left out are not named: $(cat complaints)"
grep -q '"file": *"note.md"' hostile/index.html || die "the note is not on the page"
! grep -q other.md hostile/index.html || die "a note that is no text is on the page"
# A grid of 64 learners, most of which are grey.
widths=$(seq -s, 0.05 0.05 1.6)
cat >grid.yaml <<END
name: grid
rounds: 200
runs: 4
seed: 1
environment: {kind: bernoulli, arms: 4}
learners: [{kind: ucb, width: [$widths], delta: [0.1, 0.4]}]
selectors: [{name: B-MS, kind: bms}, {name: B-MS+, kind: bms-plus}]
END
"$build_dir/posse" run -q grid.yaml -o crowd >quiet || die "the grid failed"
for picture in regret optimal selection sweep; do
    size=$(od -An -tu1 -j22 -N2 crowd/grid/$picture.png | awk '{print $1 * 256 + $2}')
    [ "$size" -gt 400 ] && [ "$size" -lt 1300 ] || die "$picture.png of 64 learners is $size pixels high"
done
python3 "$here/page_driver.py" "$chromium" screenshots hostile/index.html hostile/*/index.html crowd/*/index.html \
    results/index.html results/*/index.html

# The page of a prior shows the data and draws, each arm, and the scores, and its script has no error.
"$build_dir/posse" prior fit "$source_dir/experiments/priors/data/moons2.csv" -o prior.yaml >quiet || die "posse prior failed"
browse prior.html
[ "$(grep -o '<circle' dom | wc -l)" -gt 2000 ] && [ "$(grep -o '<svg class="plot"' dom | wc -l)" -eq 5 ] ||
    die "the page of a prior lacks plots"
grep -q 'class="badge holds">chosen' dom || die "the page of a prior does not mark the chosen prior"
