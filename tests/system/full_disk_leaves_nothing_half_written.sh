#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# On a full disk the program exits with 3, prints a message, and writes no file under its final name. Older results stay
# unchanged. The message has the number of runs that are kept, and with more space the same command continues to the
# same bytes. Many sizes are tried, so that each file is once the first that does not fit: with a limit on the size of
# files and, if this user may mount one, on a tiny disk.
. "$(dirname "$0")/scripting.sh"
posse=$build_dir/posse
cd "$scratch" && rm -rf ./*

refused() { # WHERE COMMAND...: through a pipe, because the limit on files applies to a file with the message too
    local where=$1 status
    shift
    set +e
    "$@" 2>&1 >/dev/null | cat >err
    status=${PIPESTATUS[0]}
    set -e
    [ "$status" = 3 ] || { cat err >&2 && die "$where: exit $status, not 3"; }
    grep -q 'posse: small: .*cannot be written' err || die "$where: no clear message: $(cat err)"
    [ "$(grep -vc 'posse: small: continuing after' err)" = 1 ] || die "$where: more than one line: $(cat err)"
}

# The folder has a journal if the message announces one, and is empty otherwise.
left_as_announced() { # WHERE DIRECTORY
    if grep -q '; [1-9][0-9]* of 90 runs are kept, and the same command continues after them$' err; then
        [ "$(ls -A "$2" | grep -vx small)" = .small.unfinished ] || die "$1: left behind $(find "$2")"
    else
        ! grep -q 'runs are kept' err || die "$1: the message is: $(cat err)"
        [ -z "$(find "$2" -mindepth 1 -not -path "$2/small*" 2>/dev/null)" ] || die "$1: left behind $(find "$2")"
    fi
}

run=("$posse" run "$source_dir/tests/experiment.yaml" --no-plots -q)
quietly "${run[@]}" -o whole
largest=$(du -k whole/small/results.h5 | cut -f1)

limited() { (ulimit -f "$1" && exec "${run[@]}" -o "$2"); }
for blocks in 0 1 2 8 64 300 $((largest / 2)) $((largest - 8)); do
    refused "files of $blocks kB at most" limited $blocks limited
    left_as_announced "files of $blocks kB at most" limited
done
[ -e limited/.small.unfinished ] || die "no run was ever kept"
quietly "${run[@]}" -o limited
same_results whole/small limited/small

cp -r whole kept
refused "with older results" limited 64 kept
diff -r whole kept || die "older results were touched"
[ "$(ls -A kept)" = small ] || die "left behind: $(ls -A kept)"

[ "$(id -u)" = 0 ] || exit 0
mkdir disk
mount -t tmpfs -o size=4k none disk 2>/dev/null || { echo "this user cannot mount a disk" && exit 0; }
trap 'umount "$scratch/disk"' EXIT
for size in 4 8 64 500 $((largest + 100)) \
    $((largest * 3 / 2)) $((largest * 2)) $((largest * 9 / 4)) $((largest * 5 / 2)) $((largest * 11 / 4)); do
    mount -o remount,size=${size}k disk
    refused "a disk of $size kB" "${run[@]}" -o disk/results
    left_as_announced "a disk of $size kB" disk/results
done
mount -o remount,size=100m disk
quietly "${run[@]}" -o disk/results
same_results whole/small disk/results/small
