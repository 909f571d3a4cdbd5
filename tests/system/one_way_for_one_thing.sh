#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What the sources do in one place: read a number, format a text, write a file, ask a clock, hash bytes, escape JSON, set
# ticks and draw axes. To show that the check can fail, one thing at a time is planted in a copy of the sources.
. "$(dirname "$0")/scripting.sh"

roots="lib app bindings include tools"

# The statements of all sources in C, each on a line after the name of its file, without comments.
statements() {
    (cd "$tree" && find $roots -name '*.[ch]' -exec awk '
        FNR == 1 { whole = "" }
        /^ *(\/\*|\* )/ { next }
        { sub(/^ +/, ""); whole = whole $0 }
        /[;}{]$/ { print FILENAME ":" whole; whole = "" }' {} +)
}

# only WHAT PATTERN FILE...: statements of C, or lines of files with another suffix, match the pattern in these files
# alone, and in each of them.
only() {
    local what=$1 pattern=$2 found expected
    shift 2
    if [ -n "${suffix:-}" ]; then
        found=$(cd "$tree" && grep -rlE --include="*.$suffix" "$pattern" $roots | sort)
    else
        found=$(grep -E "$pattern" "$scratch/statements" | cut -d: -f1 | sort -u)
    fi
    expected=$(printf '%s\n' "$@" | sort)
    [ "$found" = "$expected" ] && return
    echo "$what: it stands in other files than the list of this test has:"
    diff <(printf '%s\n' "$expected") <(printf '%s\n' "$found") || true
    return 1
}

check() { # TREE
    local tree=$1
    statements >"$scratch/statements"
    # lib/data/decimal.c reads numbers, app/common/text.c hexadecimal ones. scanf reads what the kernel writes in /proc.
    only 'reading a number' '\b(strto[a-z]+|ato[ifl]+|v?s?f?scanf)\(' \
        app/common/machine.c app/engine/recovery.c app/serve/usage.c &&
        # Numbers in a text have a point in every locale. Programs never choose a locale, so those print with printf.
        only 'formatting a text' '\bv[a-z]*printf\(' app/common/text.c lib/base/format.c &&
        only 'printing a number' '\b(f|d|sn?|as)?printf\(.*%[-+ 0#]*[0-9.*]*[aefgAEFG]' app/cli/command_paper.c \
            app/cli/command_prior.c app/report/draw/{comparison_picture,gallery,picture,scaling_picture}.c &&
        only 'reading or writing by jansson' '\bjson_(load|dump)[a-z_]*\(' \
            app/common/json_text.c app/report/page/template.c &&
        # Letters and digits are those of lib/base/ascii.h, whatever the locale is. The program alone lists kinds.
        only 'asking the locale' '\b(is(al(num|pha)|x?digit|space|upper|lower|punct)|to(low|upp)er|strn?casecmp)\(' \
            app/cli/list_markdown.c &&
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
finds 'formatting a text' lib/object/posse.c 'vsnprintf(text, size, format, arguments);'
finds 'printing a number' lib/object/posse.c $'snprintf(text, size,\n         "%d of %.3g", count, all);'
finds 'reading or writing by jansson' app/served/modes.c 'json_t *read = json_loads(text, 0, NULL);'
finds 'asking the locale' lib/data/vw.c 'bool same = strcasecmp(a, b) == 0;'
finds 'opening a file to write' app/cli/main.c 'FILE *out = fopen(path, "wb");'
finds 'syncing or renaming a file' lib/object/posse.c 'rename(from, to);'
finds 'asking a clock' bindings/redis/decide.c 'int64_t now = time(NULL);'
finds 'hashing bytes by FNV' app/serve/server.c 'hash *= 0x100000001b3;'
finds 'escaping for JSON' app/serve/json_out.c 'snprintf(text, 8, "\\u%04x", c);'
finds 'setting ticks' app/report/draw/picture.c 'static const double steps[] = {1, 2, 5};'
finds 'setting ticks' app/serve/charts.js 'const power = 10 ** Math.floor(Math.log10(high));'
finds 'drawing an axis' app/report/page/scaling.js 'svg.append(draw("line", { class: "axis", x1: 0, x2: 9 }));'
finds 'drawing a chart' tools/tournament/charts.py 'tag("svg", viewBox="0 0 760 330")'
