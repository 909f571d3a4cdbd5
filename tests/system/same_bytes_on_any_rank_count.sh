#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Under mpirun, three processes write the same bytes as one, also if they are killed and another number of processes
# continues. An error in one process ends all of them, with a message. A wrong file is reported once. Without mpirun the
# program does not call MPI.
. "$(dirname "$0")/scripting.sh"
cd "$scratch" && rm -rf ./*

posse=$build_dir/posse
needs mpirun
ldd "$posse" >libraries
grep -q libmpi libraries || die "the program was built without MPI"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
ranks() { # COUNT COMMAND...
    local count=$1
    shift
    mpirun --oversubscribe -n "$count" "$@"
}

# Several blocks for each rank, the last one short; then more ranks than blocks.
sed 's/^runs: .*/runs: 1001/; s/^rounds: .*/rounds: 300/' "$source_dir/tests/experiment.yaml" >one.yaml
for runs in 2 1001; do
    quietly "$posse" run one.yaml --runs $runs --no-plots -q -o alone
    quietly ranks 3 "$posse" run one.yaml --runs $runs --no-plots -q -o three
    same_results alone/small three/small
done

quietly "$posse" run one.yaml --runs 100000 --no-plots -q -o alone
for count in 3 2; do
    touch before
    mpirun --oversubscribe -n $count "$posse" run one.yaml --runs 100000 --no-plots -q -o killed >out 2>err &
    pid=$!
    await $pid test killed/.small.unfinished/state -nt before
    all="$pid $(pgrep -P $pid)"
    kill -9 $all || true
    wait $pid 2>/dev/null || true
    while kill -0 $all 2>/dev/null; do sleep 0.05; done
done
quietly ranks 2 "$posse" run one.yaml --runs 100000 --no-plots -q -o killed
same_results alone/small killed/small

# mpirun gives its processes a terminal, but their output may go to a file.
for count in 1 2; do
    ranks $count "$posse" run one.yaml --runs 2 --no-plots -o log >out 2>err
    grep -q 'B-MS' out || die "$count ranks print no table: $(cat out err)"
    ! grep -q $'\033' out err || die "colour or a progress bar in the log of $count ranks: $(cat -v out err)"
done

status=0
ranks 3 "$posse" run nowhere.yaml >out 2>err || status=$?
[ $status = 2 ] || die "a wrong file: status $status"
[ "$(grep -c nowhere.yaml err)" = 1 ] || die "a wrong file is not reported once: $(cat err)"

# In one of the processes, a learner picks an arm that does not exist.
cat >plugin.c <<'END_OF_C'
#include <stdlib.h>
#define main example_main
#include "own_learner.c"
static int stray_act(const void *plan, void *state, posse_draw *draw, double *point) {
    const char *rank = getenv("OMPI_COMM_WORLD_RANK");
    return rank != NULL && atoi(rank) == 1 ? 1000000 : act(plan, state, draw, point);
}
static posse_learner_ops stray;
__attribute__((constructor)) static void make(void) {
    stray = softmax;
    stray.act = stray_act;
}
const posse_learner_ops *const posse_plugin_learners[] = {&stray, NULL};
END_OF_C
cc -shared -fPIC -I"$source_dir/include" -I"$source_dir/examples" plugin.c -o plugin.so
sed 's/name: fair, kind: ucb, width: 1/name: fair, kind: softmax, temperature: 0.2/' one.yaml >stray.yaml
status=0
ranks 3 "$posse" run stray.yaml --plugin ./plugin.so --no-plots -q -o stray >out 2>err || status=$?
[ $status = 3 ] || die "an error in one rank: status $status: $(cat err)"
[ "$(grep -c 'posse: small: .*, run [0-9]*: .*"fair" (softmax) picked arm 1000000, and there are only arms 0 to ' err)" = 1 ] ||
    die "an error in one rank: $(cat err)"

echo '#include <stdlib.h>
int MPI_Init_thread(void) { abort(); }' >shim.c
cc -shared -fPIC shim.c -o shim.so
LD_PRELOAD=./shim.so quietly "$posse" run one.yaml --no-plots -q -o untouched
