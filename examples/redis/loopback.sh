#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Starts Redis servers with the module on 127.0.0.1, for trying things out:
#   loopback.sh standalone FOLDER [PORT]  one server, which syncs its log before it answers
#   loopback.sh replica FOLDER [PORT]     a master, and a replica on the next port
#   loopback.sh cluster FOLDER [PORT]     three masters with a replica each, on six ports
#   loopback.sh stop FOLDER               stops the servers of that folder; the data stays
# PORT is 6379 by default. The variable POSSE_MODULE is the path of the module, by default build/posse_redis.so.
set -eu

start() { # PORT SETTINGS: a server with a separate folder
    local port=$1 home=$folder/$1 module
    module=$(realpath "${POSSE_MODULE:-build/posse_redis.so}")
    shift
    mkdir -p "$home"
    rm -f "$home/pid"
    redis-server --port "$port" --bind 127.0.0.1 --dir "$home" --loadmodule "$module" --daemonize yes \
        --pidfile "$home/pid" --logfile "$home/log" --appendonly yes --appendfsync always "$@" >"$home/start"
    for _ in $(seq 200); do
        [ ! -s "$home/pid" ] || [ "$(redis-cli -p "$port" ping 2>/dev/null)" != PONG ] || return 0
        sleep 0.05
    done
    echo "the server on port $port does not start; is the port in use? See $home/log" >&2
    exit 1
}

stop() {
    local file pid
    for file in "$folder"/*/pid; do
        [ -f "$file" ] || continue
        pid=$(cat "$file")
        kill "$pid" 2>/dev/null || continue
        while kill -0 "$pid" 2>/dev/null; do sleep 0.05; done
    done
}

[ $# -ge 2 ] || { sed -n '3,9s/^# //p' "$0" >&2 && exit 2; }
mode=$1
mkdir -p "$2"
folder=$(realpath "$2")
port=${3:-6379}
case $mode in
standalone)
    start "$port"
    ;;
replica)
    start "$port"
    start $((port + 1)) --replicaof 127.0.0.1 "$port"
    ;;
cluster)
    nodes=()
    for i in 0 1 2 3 4 5; do
        start $((port + i)) --cluster-enabled yes --cluster-config-file nodes.conf --cluster-node-timeout 1500
        nodes+=("127.0.0.1:$((port + i))")
    done
    redis-cli --cluster create "${nodes[@]}" --cluster-replicas 1 --cluster-yes >"$folder/cluster"
    for i in 0 1 2 3 4 5; do
        until redis-cli -p $((port + i)) cluster info | grep -q cluster_state:ok; do sleep 0.05; done
    done
    ;;
stop) stop ;;
*) echo "the modes are standalone, replica, cluster and stop, not $mode" >&2 && exit 2 ;;
esac
