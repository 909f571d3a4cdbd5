#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What the sources do in one place: read a number, write a file, ask a clock, hash bytes, escape JSON, set ticks and draw
# axes. To show that the check can fail, one thing at a time is planted in a copy of the sources.
. "$(dirname "$0")/scripting.sh"

roots="lib app bindings include tools"

# only WHAT PATTERN FILE...: lines other than comments match the pattern in these files alone, and in each of them. Lines
# are those of C, or of files with another suffix.
only() {
    local what=$1 pattern=$2 found expected
    shift 2
    found=$(cd "$tree" && grep -rnE --include="*.${suffix:-[ch]}" "$pattern" $roots |
        grep -vE '^[^:]+:[0-9]+: *(/\*|\* )' | cut -d: -f1 | sort -u)
    expected=$(printf '%s\n' "$@" | sort)
    [ "$found" = "$expected" ] && return
    echo "$what: it stands in other files than the list of this test has:"
    diff <(printf '%s\n' "$expected") <(printf '%s\n' "$found") || true
    return 1
}

check() { # TREE
    local tree=$1
    # lib/data/decimal.c reads numbers, app/common/text.c hexadecimal ones. scanf reads what the kernel writes in /proc.
    only 'reading a number' '\b(strto[a-z]+|ato[ifl]+|v?s?f?scanf)\(' \
        app/common/machine.c app/engine/recovery.c app/serve/process.c &&
        # Two logs to which lines are appended, two locks, and pictures that gnuplot has written, beside the one writer.
        only 'opening a file to write' '\bfopen\([^;]*("[wa]|\+|\bhow\b)|\bO_(WRONLY|RDWR)\b' \
            app/common/file.c app/engine/store.c app/experiment/store/folder.c app/experiment/store/journal.c \
            app/report/draw/gallery.c app/serve/access.c &&
        only 'syncing or renaming a file' '\b(fsync|fdatasync|rename|renameat)\(' app/common/file.c &&
        only 'asking a clock' '\b(clock_gettime|gettimeofday|clock|time)\((NULL|0|CLOCK_|which|&)' app/common/clock.h &&
        only 'hashing bytes by FNV' '0x100000001b3|1099511628211' lib/base/hash.h &&
        # YAML and gnuplot have the same escape, and a message shows it.
        only 'escaping for JSON' '\\\\u%04x' \
            app/describe/flow.c app/report/draw/glyphs.c lib/data/json_reader.c lib/data/json_writer.c &&
        only 'quoting for CSV' 'strpbrk\([a-z]+, "[,;]\\"' app/common/text.c &&
        # One place for gnuplot and descriptions, one for pages and the board; tools describe charts and draw none.
        only 'setting ticks' '\blog10\(|\{1, 2, 5\}' app/report/chart/axis.c &&
        suffix=js only 'setting ticks' '\b10 \*\* ' app/report/page/plot.js &&
        suffix=js only 'drawing an axis' 'class: "axis"' app/report/page/plot.js &&
        suffix=py only 'drawing a chart' 'viewBox' tools/diagrams.py
}

check "$source_dir" || die "there is more than one way"

# finds WHAT FILE LINE: in a fresh copy with this line in the file, the check fails and names both.
finds() {
    rm -rf "$scratch/copy" && mkdir -p "$scratch/copy"
    (cd "$source_dir" && cp -r $roots "$scratch/copy")
    echo "$3" >>"$scratch/copy/$2"
    ! check "$scratch/copy" >"$scratch/said" || die "it does not find $1 in $2"
    grep -qF "$1" "$scratch/said" && grep -qF "$2" "$scratch/said" || die "it does not report $1 in $2: $(cat "$scratch/said")"
}

finds 'reading a number' app/cli/main.c 'double x = strtod(text, NULL);'
finds 'opening a file to write' app/cli/main.c 'FILE *out = fopen(path, "wb");'
finds 'syncing or renaming a file' lib/object/posse.c 'rename(from, to);'
finds 'asking a clock' bindings/redis/decide.c 'int64_t now = time(NULL);'
finds 'hashing bytes by FNV' app/serve/server.c 'hash *= 0x100000001b3;'
finds 'escaping for JSON' app/serve/json_out.c 'snprintf(text, 8, "\\u%04x", c);'
finds 'setting ticks' app/report/draw/picture.c 'static const double steps[] = {1, 2, 5};'
finds 'setting ticks' app/serve/charts.js 'const power = 10 ** Math.floor(Math.log10(high));'
finds 'drawing an axis' app/report/page/scaling.js 'svg.append(draw("line", { class: "axis", x1: 0, x2: 9 }));'
finds 'drawing a chart' tools/tournament/charts.py 'tag("svg", viewBox="0 0 760 330")'
