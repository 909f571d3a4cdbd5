#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The story of examples/story.c in Redis:
#   redis-cli.sh FOLDER [PORT]    the data is in FOLDER, and POSSE_MODULE is as for examples/redis/loopback.sh
set -euo pipefail
folder=$1 port=${2:-6379}
loopback=$(dirname "$0")/../redis/loopback.sh

begin() { "$loopback" standalone "$folder" "$port"; }
finish() { "$loopback" stop "$folder"; }

again() {
    local server
    server=$(cat "$folder/$port/pid")
    kill -9 "$server"
    while kill -0 "$server" 2>/dev/null; do sleep 0.05; done
    begin
}

ask() { redis-cli -e -p "$port" "$@" || { echo "is the answer to redis-cli $*" >&2 && exit 1; }; }
create() { ask POSSE.CREATE "$1" "$2" >"$folder/answer"; }
add() { ask POSSE.ARM ADD page NAME "$1" >"$folder/answer"; }
retire() { ask POSSE.ARM RETIRE page "$1" >"$folder/answer"; }
report() { ask POSSE.REPORT "$1"; }

decide() { # the answer: token, arm, learner and, if arms have names, the propensity, the point and the name
    local answer
    mapfile -t answer < <(ask POSSE.DECIDE "$1" ${2:+CONTEXT "$2"})
    token=${answer[0]} learner=${answer[2]} name=${answer[5]:-}
}

clicked() {
    local posse=$1 token rewards=()
    shift
    for token; do rewards+=("$token" 1); done
    ask POSSE.LEARN "$posse" "${rewards[@]}" >"$folder/answer"
}

. "$(dirname "$0")/story.sh"
