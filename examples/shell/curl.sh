#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The story of examples/story.c over HTTP:
#   curl.sh FOLDER [PORT]    the database is in FOLDER, and `posse` in PATH
set -euo pipefail
folder=$1 port=${2:-7677}
posses=http://127.0.0.1:$port/v1/posses

begin() {
    posse serve --listen "127.0.0.1:$port" --database "$folder/story.db" >"$folder/log" 2>&1 &
    server=$!
    curl -sf --retry 30 --retry-delay 1 --retry-connrefused "http://127.0.0.1:$port/readyz" >"$folder/ready"
}

again() {
    kill -9 "$server"
    wait "$server" 2>"$folder/killed" || true
    begin
}

finish() {
    kill "$server"
    wait "$server" || true
}

ask() { curl -s --fail-with-body "$@" || { echo " is the answer to curl $*" >&2 && exit 1; }; }
create() { ask "$posses" -d "{\"name\": \"$1\", ${2#\{}" >"$folder/answer"; }
add() { ask "$posses/page/arms" -d "{\"name\": \"$1\"}" >"$folder/answer"; }
retire() { ask -X DELETE "$posses/page/arms/$1" >"$folder/answer"; }
report() { ask "$posses/$1/report"; }

decide() {
    local answer
    answer=$(ask "$posses/$1/decide" -d "${2:-{\}}")
    [[ $answer =~ \"token\":\"([^\"]*)\" ]] && token=${BASH_REMATCH[1]}
    [[ $answer =~ \"learner\":\"([^\"]*)\" ]] && learner=${BASH_REMATCH[1]}
    if [[ $answer =~ \"name\":\"([^\"]*)\" ]]; then name=${BASH_REMATCH[1]}; fi
}

clicked() {
    local posse=$1 rewards
    shift
    rewards=$(printf ', {"token": "%s", "reward": 1}' "$@")
    ask "$posses/$posse/learn" -d "{\"rewards\": [${rewards#, }]}" >"$folder/answer"
}

. "$(dirname "$0")/story.sh"
