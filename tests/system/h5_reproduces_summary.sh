#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# results.h5 opens in Python, and summary.csv follows from it to the last digit, also if selectors play some learners
# only. It has the number of rewards that each selector clips.
. "$(dirname "$0")/scripting.sh"
cd "$scratch" && rm -rf ./*

quietly "$build_dir/posse" run "$source_dir/tests/experiment.yaml" --no-plots -q -o results
/usr/bin/python3 "$here/h5_reproduces_summary.py" results/small "$source_dir/tests/experiment.yaml"

sed 's/^name: .*/name: teams/
s/^claims:/  - {name: B-MS of two, kind: bms, learners: [bold, fair]}\n  - {name: Corral, kind: corral, range: [-2, 2]}\n&/' \
    "$source_dir/tests/experiment.yaml" >teams.yaml
quietly "$build_dir/posse" run teams.yaml --no-plots -q -o results
/usr/bin/python3 "$here/h5_reproduces_summary.py" results/teams teams.yaml

# More runs than a chunk has; the last chunk and the last block are both short.
quietly "$build_dir/posse" run "$source_dir/tests/experiment.yaml" --runs 2049 --rounds 70 --no-plots -q -o many
/usr/bin/python3 "$here/h5_reproduces_summary.py" many/small "$source_dir/tests/experiment.yaml"
