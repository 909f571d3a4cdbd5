#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# posse run: exit status, standard output and standard error, options, and plugins, also of posse check and posse list.
. "$(dirname "$0")/scripting.sh"
posse=$build_dir/posse
small=$source_dir/tests/experiment.yaml
cd "$scratch" && rm -rf ./*

expect() { # STATUS COMMAND...: standard output in `out`, standard error in `err`
    local wanted=$1 status=0
    shift
    "$@" >out 2>err || status=$?
    [ $status = "$wanted" ] || { cat out err >&2 && die "exit $status, not $wanted: $*"; }
}

expect 0 "$posse" run "$small" --no-plots
[ ! -s err ] || die "not silent on standard error in a pipe: $(cat err)"
for file in summary curves selection learners matching pairs claims; do [ -s results/small/$file.csv ] || die "no $file.csv"; done
[ -s results/small/results.h5 ] && [ -s results/small/manifest.json ] || die "no results.h5 or manifest.json"
[ "$(ls -A results)" = small ] || die "left behind: $(ls -A results)"
grep -q '^  B-MS shared .*%$' out && grep -q '^  oracle ' out || die "no line per competitor: $(cat out)"
grep -q '^  holds  *B-MS keeps lower' out || die "no line per claim"
! grep -q $'\033' out || die "colour in a pipe"
[ "$(wc -l <results/small/curves.csv)" = 6001 ] || die "curves.csv has not 1000 rounds of 6 competitors"

sed 's/regret("B-MS") < regret("bold")/regret("B-MS") > regret("bold")/' "$small" >fails.yaml
expect 1 "$posse" run fails.yaml --no-plots -o other --runs 20 --rounds 300 --seed 0 --threads 2 -q
grep -q '"runs": 20,' other/small/manifest.json && grep -q '"rounds": 300,' other/small/manifest.json &&
    grep -q '"seed": 0,' other/small/manifest.json || die "--runs, --rounds or --seed had no effect"
grep -q '^B-MS keeps.*,fails,' other/small/claims.csv || die "the claim did not fail"

rm -rf results other
sed 's/kind: gaussian/kind: gausian/' "$small" >wrong.yaml
for wrong in "" "--runs 0 $small" "--runs 1e3 $small" "--threads -1 $small" "--seed 99999999999999999999 $small" \
    "--plugin nowhere.so $small" "--output= $small" "--no-such $small" "nowhere.yaml" "$small wrong.yaml" "$small $small"; do
    expect 2 "$posse" run $wrong
    [ -s err ] || die "no message for: $wrong"
    [ ! -e results ] || die "something was written for: $wrong"
done

expect 0 "$posse" run --help
grep -q posse_plugin_learners out && grep -q 'posse run experiments' out || die "--help lacks the example or the plugins"

cat >plugin.c <<'END'
#define main example_main
#include "own_learner.c"
const posse_learner_ops *const posse_plugin_learners[] = {&softmax, NULL};
END
cc -shared -fPIC -I"$source_dir/include" -I"$source_dir/examples" plugin.c -o plugin.so
sed 's/name: fair, kind: ucb, width: 1/name: fair, kind: softmax, temperature: 0.2/' "$small" >plugin.yaml
expect 0 "$posse" run plugin.yaml --plugin plugin.so --no-plots
grep -q '^fair,learner,softmax,' results/small/summary.csv || die "the plugin's learner did not play"
expect 2 "$posse" run plugin.yaml --plugin plugin.so --plugin plugin.so --no-plots -o twice
grep -q softmax err || die "registering twice is not explained: $(cat err)"
echo 'int nothing;' >empty.c && cc -shared -fPIC empty.c -o empty.so
expect 2 "$posse" run plugin.yaml --plugin empty.so --no-plots
grep -q 'exports none of' err || die "a plugin without learners is not explained: $(cat err)"

expect 2 "$posse" check plugin.yaml
expect 0 "$posse" check plugin.yaml --plugin plugin.so
grep -q 'plugin.yaml: fine' out || die "a file with the plugin's learner is not fine: $(cat out)"
expect 0 "$posse" list softmax --plugin plugin.so
grep -q '^  softmax ' out && grep -q '^      temperature ' out || die "the plugin's learner is not listed: $(cat out)"
expect 2 "$posse" list softmax
for command in "check $small" list; do
    expect 2 "$posse" $command --plugin empty.so
    [ ! -s out ] && grep -qx 'posse: the plugin empty.so exports none of posse_plugin_learners, .*' err ||
        die "posse $command with a wrong plugin prints: $(cat out err)"
done

# A warning names each selector that clips more than a hundredth of its rewards, also with -q. The status stays 0. All
# arms pay 1 with the same probability, so the share of clipped rewards is known.
cat >clip.yaml <<'END'
name: clip
rounds: 2000
runs: 10
seed: 1
environment: {kind: bernoulli, arms: 2, means: RATE}
learners: [{name: first, kind: fixed, arm: 0}, {name: second, kind: fixed, arm: 1}]
selectors: [{name: corral, kind: corral, range: [0, 0.5]}, {name: exp3p, kind: exp3p}]
solo: false
END
warns() { # RATE: the share of rewards that are 1; prints the warning, if any
    sed "s/RATE/$1/" clip.yaml >clip-now.yaml
    expect 0 "$posse" run clip-now.yaml --no-plots -q --fresh
    cat err
}
[ "$(warns 1)" = 'posse: clip: "corral" clipped 100.0% of the rewards to its range [0, 0.5]; give it a wider range' ] ||
    die "all rewards clipped, and it prints: $(cat err)"
[[ $(warns 0.02) =~ ^'posse: clip: "corral" clipped '[12].[0-9]'% of the rewards to its range [0, 0.5]; give it' ]] ||
    die "about 2% of the rewards clipped, and it prints: $(cat err)"
[ -z "$(warns 0.005)" ] || die "a warning about half a percent: $(cat err)"
grep -A1 '"selector": "corral"' results/clip/manifest.json | grep -Eq '"clipped": [0-9]{2,3},' ||
    die "the number of clipped rewards is not in the manifest"
grep -A1 '"selector": "exp3p"' results/clip/manifest.json | grep -q '"clipped": 0,' || die "exp3p clipped coins"

# A warning names a belief that the rewards contradict, but not a right one and not a robust one.
cat >wrong.yaml <<'END'
name: wrong
rounds: 500
runs: 10
seed: 1
environment: {kind: gaussian, arms: 4}
learners: [{name: t, kind: thompson}, {name: u, kind: ucb}]
selectors:
  - {name: right, kind: bms}
  - {name: wrong, kind: bms, belief: {kind: gaussian, sd: 0.1}}
  - {name: robust, kind: bms, belief: {kind: gaussian, sd: 0.1, robust: true}}
solo: false
END
expect 0 "$posse" run wrong.yaml --no-plots -q
[ "$(wc -l <err)" -eq 1 ] && grep -Eqx 'posse: wrong: rewards contradict the belief of "wrong" \(log Bayes factor [0-9.]+ in 1 of 10 runs; by chance above 3.0 at most once in 20\); correct it, or give it robust: true' err ||
    die "a wrong belief, and it prints: $(cat err)"

# An experiment may have learners alone, without a selector.
sed '/^selectors:/,/^[a-z]*:/{/^selectors:/d;/^  - /d}; /^claims:/,$d' "$small" >alone.yaml
! grep -q bms alone.yaml || die "the selectors are still there"
expect 0 "$posse" run alone.yaml --no-plots -o alone --runs 20 --rounds 300
[ -s alone/small/results.h5 ] || die "no results.h5 without selectors"
