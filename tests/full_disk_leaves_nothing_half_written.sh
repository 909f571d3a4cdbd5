#!/usr/bin/env bash
# A full disk: exit 3, a message, and nothing under a final name; older results stay as they were. Tried at many sizes,
# so that every file is once the one that does not fit: with a limit on the size of files, and on a tiny disk where
# this user may mount one.
. "$(dirname "$0")/scripting.sh"
posse=$build_dir/posse
cd "$scratch" && rm -rf ./*

refused() { # WHERE COMMAND...: through a pipe, because a limit on files would hold for the message too
    local where=$1 status
    shift
    set +e
    "$@" 2>&1 >/dev/null | cat >err
    status=${PIPESTATUS[0]}
    set -e
    [ "$status" = 3 ] || { cat err >&2 && die "$where: exit $status, not 3"; }
    grep -q 'posse: small: .*cannot be written' err || die "$where: no clear message: $(cat err)"
    [ "$(wc -l <err)" = 1 ] || die "$where: more than one line: $(cat err)"
}

run=("$posse" run "$source_dir/tests/experiment.yaml" --no-plots -q)
quietly "${run[@]}" -o whole
largest=$(du -k whole/small/results.h5 | cut -f1)

limited() { (ulimit -f "$1" && exec "${run[@]}" -o "$2"); }
for blocks in 0 1 2 8 64 300 $((largest / 2)) $((largest - 8)); do
    refused "files of $blocks kB at most" limited $blocks limited
    [ ! -e limited ] || die "files of $blocks kB at most: left behind $(find limited)"
done

cp -r whole kept
refused "with older results" limited 64 kept
diff -r whole kept || die "older results were touched"
[ "$(ls -A kept)" = small ] || die "left behind: $(ls -A kept)"

[ "$(id -u)" = 0 ] || exit 0
mkdir disk
for size in 4 8 64 500 $((largest + 100)) $((largest + 700)); do
    mount -t tmpfs -o size=${size}k none disk 2>/dev/null || { echo "no tmpfs here, skipped" && exit 0; }
    status=0
    (refused "a disk of $size kB" "${run[@]}" -o disk/results) || status=$?
    left=$(find disk -mindepth 1)
    umount disk
    [ $status = 0 ] || exit 1
    [ -z "$left" ] || die "a disk of $size kB: left behind $left"
done
