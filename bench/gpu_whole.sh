#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Whole commands on a GPU and on processors, files included: seconds of each, and whether the results are the same.
#
#     bench/gpu_whole.sh POSSE runs [RUNS...]    posse run experiments/paper/ucb.yaml with RUNS runs
#     bench/gpu_whole.sh POSSE tournament [PROBLEMS [RUNS [ROUNDS]]]
#                                                a tournament; two processors play it beside the GPU, at the same time
#
# POSSE is the program, with posse_cuda.so beside it or in $POSSE_CUDA. Prints lines of: what, device, seconds.
set -euo pipefail
posse=$(realpath "$1")
what=$2
shift 2
cd "$(dirname "$0")/.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# timed WHAT DEVICE COMMAND...
timed() {
    local label="$1,$2" begin=$EPOCHREALTIME status=0
    shift 2
    "$@" >"$folder/$label.out" 2>&1 || status=$?
    [ $status -le 1 ] || { cat "$folder/$label.out" && exit $status; }
    ! grep "played on the CPU" "$folder/$label.out" || exit 1
    awk -v label="$label" -v begin="$begin" -v end="$EPOCHREALTIME" \
        'BEGIN { printf "%s,%.2f\n", label, end - begin; fflush() }'
}

# same WHAT FOLDER FOLDER FILE...
same() {
    local label=$1 one=$2 other=$3 file
    shift 3
    for file in "$@"; do cmp "$one/$file" "$other/$file" || exit 1; done
    echo "$label: $# files are the same"
}

compare_runs() {
    local runs device
    for runs in "${@:-1000000}"; do
        for device in gpu cpu; do
            timed "runs $runs" $device "$posse" run experiments/paper/ucb.yaml --runs "$runs" --device $device --no-plots \
                --quiet -o "$folder/$device"
        done
        same "runs $runs" "$folder/cpu/ucb" "$folder/gpu/ucb" results.h5 summary.csv curves.csv selection.csv pairs.csv \
            learners.csv matching.csv claims.csv
        rm -rf "$folder/cpu" "$folder/gpu"
    done
}

# play DEVICE PROCESSORS THREADS: the last arguments are those of the tournament
play() {
    local device=$1 processors=$2 threads=$3
    shift 3
    timed "tournament" "$device" taskset -c "$processors" python3 tools/tournament --posse "$posse" --device "$device" \
        --threads "$threads" -o "$folder/$device" "$@"
}

tournament() {
    local all arguments
    all=$(nproc)
    arguments=(--problems "${1:-200}" --runs "${2:-3000}" --rounds "${3:-200}")
    play cpu $((all - 2))-$((all - 1)) 2 "${arguments[@]}" &
    play gpu 0-$((all > 2 ? all - 3 : 0)) $((all > 2 ? all - 2 : 1)) "${arguments[@]}"
    wait $!
    same tournament "$folder/cpu" "$folder/gpu" tournament.csv duels.csv splits.csv ratios.csv
}

case $what in
runs) compare_runs "$@" ;;
tournament) tournament "$@" ;;
*) sed -n '/^#     /p' "$0" && exit 2 ;;
esac
