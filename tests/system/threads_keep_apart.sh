#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# clang's thread sanitizer finds no data race: in the unit tests of the runner, of the journal, of hands and of shared
# tables, and in the program with 2 to 7 threads over many small blocks, interrupted (Ctrl-C) and continued.
. "$(dirname "$0")/scripting.sh"
export TSAN_OPTIONS="halt_on_error=1 exitcode=66"

# Without MPI, because its threads are not instrumented and cause false reports; and without the server, which
# `make test-server` runs under this sanitizer.
subbuild build posse_program -DCMAKE_C_COMPILER=clang -DPOSSE_TESTS=ON -DPOSSE_SANITIZE_THREADS=ON -DPOSSE_MPI=OFF -DPOSSE_SERVE=OFF \
    -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS="-O1 -g1"
quietly cmake --build "$scratch/build" --target test_runner test_journal test_memory test_hands
cd "$scratch" && rm -rf results whole

for law in same_bits_on_any_thread_count same_bits_whoever_finishes_first same_bits_when_blocks_are_taken_together \
    stops_when_told_to stops_when_blocks_are_refused progress_ends_with_every_round what_goes_wrong_in_a_run_is_told_with_its_name; do
    quietly build/tests/test_runner $law
done
quietly build/tests/test_journal a_run_in_pieces_is_the_run
quietly build/tests/test_hands
quietly build/tests/test_memory threads_create_and_free_at_once

# Blocks take milliseconds, so that threads meet as often as possible.
sed 's/^runs: .*/runs: 6001/; s/^rounds: .*/rounds: 60/' "$source_dir/tests/experiment.yaml" >small.yaml
run=(build/posse run small.yaml --no-plots -q)
quietly "${run[@]}" --threads 1 -o whole
for threads in 2 3 5 7; do
    rm -rf results
    status=0
    "${run[@]}" --threads $threads -o results >out 2>err &
    pid=$!
    until [ -e results/.small.unfinished/state ] || ! kill -0 $pid 2>/dev/null; do sleep 0.02; done
    kill -INT $pid 2>/dev/null || true
    wait $pid || status=$?
    [ $status = 0 ] || [ $status = 3 ] || die "$threads threads: status $status: $(cat err)"
    quietly "${run[@]}" --threads $((8 - threads)) -o results
    same_results whole/small results/small
done
