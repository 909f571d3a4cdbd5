#!/bin/sh
# SPDX-License-Identifier: MIT
# Writes the manual pages: that of the library from its headers, those of the commands from their --help.
#   tools/man.sh library HEADER FOLDER [HEADER...]  FOLDER/posse.3, which has the calls of every header
#   tools/man.sh program HEADER FOLDER PROGRAM      FOLDER/posse.1 and a posse-COMMAND.1 for each command
set -eu

what=$1 header=$2 folder=$3
shift 3
version=$(sed -n 's/^#define POSSE_VERSION_[A-Z]* //p' "$header" | paste -sd.)
summary=$(sed -n 's/^ \* posse: \(.*\)\.$/\1/p' "$header")

# Escapes the special characters of roff. A line that begins with a dot or a quote would be a request.
roff='function roff(text) {
    gsub(/\\/, "\\e", text); gsub(/-/, "\\-", text)
    return text ~ /^[.\047]/ ? "\\&" text : text
}'

begin() { # NAME SECTION SUMMARY
    printf '.TH "%s" %s "" "posse %s" "posse"\n.SH NAME\n%s \\- %s\n' "$1" "$2" "$version" "$(echo "$1" | sed 's/-/\\-/g')" "$3"
}

# The description of posse is the second paragraph of the header.
what_it_is() {
    echo ".SH DESCRIPTION"
    awk "$roff"'/^ \*$/ { paragraph++; next } paragraph == 1 { print roff(substr($0, 4)) } paragraph > 1 { exit }' "$header"
}

library_page() { # [HEADER...]
    begin posse 3 "$summary"
    printf '.SH SYNOPSIS\n.nf\n.B #include <posse.h>\n.PP\ncc app.c $(pkg\\-config \\-\\-cflags \\-\\-libs posse)\n.fi\n'
    what_it_is
    echo ".PP"
    echo "These are the calls, in the order of the headers, which describe each of them."
    awk "$roff"'
    FNR == 1 { header = FILENAME; sub(/.*\//, "", header); section = header }
    /^\/\* =+ .* =+ \*\/$/ { gsub(/[\/*=]/, ""); gsub(/^ +| +$/, ""); section = header ": " toupper($0) }
    sub(/^POSSE_API /, "") { if (section != "") print ".SH " section "\n.nf"; section = ""; inside = 1 }
    inside { print roff($0) }
    /;$/ && inside { inside = 0 }' "$header" "$@" | awk '/^\.SH/ && NR > 1 { print ".fi" } { print } END { print ".fi" }'
    printf '.SH SEE ALSO\n.BR posse (1)\n'
}

help_of() { # [COMMAND]: with one line for each option and each paragraph
    ARGP_HELP_FMT=rmargin=10000,opt-doc-col=60,no-dup-args-note "$program" "$@" --help
}

list_commands() {
    help_of | sed -n 's/^  posse \([a-z][a-z]*\) .*/\1/p' | grep -vx help
}

program_page() {
    begin posse 1 "$summary"
    printf '.SH SYNOPSIS\n.B posse\n.I COMMAND\n.RI [ argument ...]\n'
    what_it_is
    echo ".PP"
    echo "The program runs experiments, which are described in files, reports their results, and serves decisions over HTTP."
    echo ".SH COMMANDS"
    help_of | awk "$roff"'sub(/^  posse /, "posse ") {
        match($0, /  +[^ ]/) # the usage, two spaces or more, the description
        printf ".TP\n.B %s\n%s\n", roff(substr($0, 1, RSTART - 1)), roff(substr($0, RSTART + RLENGTH - 1))
    }'
    echo ".SH SEE ALSO"
    for command in $commands; do echo ".BR posse\\-$command (1),"; done
    echo ".BR posse (3)"
}

command_page() { # COMMAND
    begin "posse-$1" 1 "$(help_of | sed -n "s/^  posse $1 .*  \([^ ]\)/\1/p")"
    help_of "$1" | awk "$roff"'
    function example(on) { if (on != shown) print on ? ".PP\n.nf" : ".fi\n.PP"; shown = on }
    NR == 1 { sub(/^Usage: /, ""); print ".SH SYNOPSIS\n.B " roff($0) "\n.SH DESCRIPTION"; next }
    /^ +-/ && !after { # an option, three spaces or more, the description
        if (!options++) print ".SH OPTIONS"
        sub(/^ +/, ""); match($0, /   +/)
        printf ".TP\n.B %s\n%s\n", roff(substr($0, 1, RSTART - 1)), roff(substr($0, RSTART + RLENGTH)); next
    }
    options && !after && NF { print ".SH NOTES"; after = 1 }
    !NF { if (!shown && (after || !options)) print ".PP"; next }
    /^  / { example(1); print roff($0); next }
    { example(0) }
    sub(/^Exit status: /, "") { print ".SH EXIT STATUS" }
    { print roff($0) }'
    printf '.SH SEE ALSO\n.BR posse (1)\n'
}

mkdir -p "$folder"
case $what in
library) library_page "$@" >"$folder/posse.3" ;;
program)
    program=$1
    commands=$(list_commands) # fails if the program does not run
    for command in $commands; do command_page "$command" >"$folder/posse-$command.1"; done
    program_page >"$folder/posse.1"
    ;;
*) echo "usage: $0 library HEADER FOLDER [HEADER...] | program HEADER FOLDER PROGRAM" >&2 && exit 2 ;;
esac
