#!/bin/sh
# SPDX-License-Identifier: MIT
# fit.sh POSSE: fits the priors in fitted/ to the tables in data/ again, with the same bytes.
set -eu

posse=$(realpath "$1")
cd "$(dirname "$0")"
mkdir -p fitted
for name in moons2 ring2 moons10 gmm5 gmm10 gauss5; do
    for kind in gaussian mixture; do
        "$posse" prior fit "data/$name.csv" -o "fitted/$name-$kind.yaml" --kind $kind --no-page
    done
done
