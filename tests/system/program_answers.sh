#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Version, help, lists, and the messages and exit statuses after wrong usage.
. "$(dirname "$0")/scripting.sh"

posse=$build_dir/posse
version=$(sed -n 's/^#define POSSE_VERSION_\(MAJOR\|MINOR\|PATCH\) //p' "$source_dir/include/posse.h" | paste -sd.)

expect() { # STATUS COMMAND...: runs it, with its output in $out
    local status=$1 got=0
    shift
    out=$("$@" 2>&1) || got=$?
    [ $got = "$status" ] || die "$* exits with $got instead of $status: $out"
}

says() { # TEXT: the last output has it
    case $out in *"$1"*) ;; *) die "no \"$1\" in: $out" ;; esac
}

expect 0 "$posse" --version && [ "$out" = "posse $version" ] || die "--version says $out"
expect 0 "$posse" --help && says "posse list [KIND]"
expect 2 "$posse" && says "posse list [KIND]"
expect 2 "$posse" lsit && says 'there is no command "lsit"'
expect 0 "$posse" list --help && says "Usage: posse list"
expect 2 "$posse" list ucb fixed
expect 2 "$posse" list no-such-kind && says 'no kind or family "no-such-kind"'
expect 2 "$posse" list lerner && says 'there is no kind or family "lerner"; did you mean "learner"?'
expect 2 "$posse" list beleifs && says 'did you mean "belief"?'

# The message about a wrong number has its range.
file=$source_dir/tests/experiment.yaml
expect 2 "$posse" run "$file" --runs -5 && says '--runs takes a whole number from 1 to 100000000, not "-5"'
expect 2 "$posse" run "$file" --runs 100000001 && says '--runs takes a whole number from 1 to 100000000, not "100000001"'
expect 2 "$posse" run "$file" --rounds 0 && says '--rounds takes a whole number from 1 to 1000000000, not "0"'
expect 2 "$posse" run "$file" --seed 18446744073709551616 &&
    says '--seed takes a whole number from 0 to 18446744073709551615, not "18446744073709551616"'

# Every way to ask for help prints the same text.
usual=$("$posse" --help)
for way in -h '-?' help; do expect 0 "$posse" "$way" && [ "$out" = "$usual" ] || die "posse $way is not posse --help"; done
for command in run paper check list report serve export erase; do
    usual=$("$posse" $command --help)
    for way in -h '-?'; do expect 0 "$posse" $command "$way" && [ "$out" = "$usual" ] || die "posse $command $way is other help"; done
    expect 0 "$posse" help $command && [ "$out" = "$usual" ] || die "posse help $command is other help"
    expect 0 "$posse" $command --usage && says "Usage: posse $command"
done
expect 0 "$posse" help --help && [ "$out" = "$("$posse" --help)" ] || die "posse help --help is not posse --help"
expect 2 "$posse" help lsit && says 'there is no command "lsit"'

# The list has every kind with its keys.
expect 0 "$posse" list
for kind in gaussian bernoulli linear information-lock beta hypotheses mixture \
    fixed ucb thompson linear-thompson linear-ucb epsilon-greedy \
    bms bms-plus d3rb ed2rb bd3rb perfect-balancing balancing dynamic-balancing corral stochastic-corral exp3p greedy uniform; do says "  $kind "; done
expect 0 "$posse" list selectors && says "corral"
expect 2 "$posse" list corall && says 'did you mean "corral"?'

# POSSE_ISA selects the kernels; the program refuses a set that the processor cannot run.
expect 0 env POSSE_ISA=baseline "$posse" list ucb
expect 0 env POSSE_ISA= "$posse" list ucb
expect 2 env POSSE_ISA=sse9 "$posse" list ucb && says 'POSSE_ISA is "sse9", which this processor cannot run'
expect 0 "$posse" list ucb
says "      width            number in [0, 1e+50]; default 1"
says "      delta            number in [1e-100, 1]; default 0.05"
expect 0 "$posse" list learner && says "  fixed " && case $out in *"  bms "*) die "a learner called bms" ;; esac
expect 0 "$posse" list selector && says "      share            true or false; default false"
expect 0 "$posse" list bms-plus && says "B-MS+, bms with patience 40, commitment 0, budget 1 and shared data: the"
says "      patience         number in [0, 1e+50], or endless; default 40" && says "      commitment       number in [0, 1]; default 0"
says "      share            true or false; default true" && says "      batch            whole number in [1, 1000000000]; default 1"
case $out in *"      share            true or false; default false"*) die "bms-plus has two defaults of share" ;; esac

# In a pipe, a list is 100 columns wide; on a terminal, as wide as that is. Markdown is wrapped nowhere.
[ "$("$posse" list | awk 'length > 100' | wc -l)" = 0 ] || die "posse list prints lines of more than 100 columns"
on_terminal() { # COLUMNS: the longest line of posse list there
    /usr/bin/python3 - "$posse" "$1" <<'PYTHON'
import fcntl, os, pty, struct, sys, termios
child, terminal = pty.fork()
if child == 0:
    fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 24, int(sys.argv[2]), 0, 0))
    os.execl(sys.argv[1], sys.argv[1], "list")
said = b""
try:
    while piece := os.read(terminal, 65536):
        said += piece
except OSError:  # the program has ended
    pass
print(max(len(line.rstrip()) for line in said.decode().split("\n")))
PYTHON
}
narrow=$(on_terminal 72) wide=$(on_terminal 160)
[ "$narrow" -le 72 ] && [ "$wide" -le 160 ] && [ "$wide" -gt 100 ] || die "lines of $narrow columns in 72, of $wide in 160"
[ "$("$posse" list --markdown)" = "$(env COLUMNS=40 LC_ALL=C "$posse" list --markdown)" ] || die "Markdown is not always the same"
expect 0 "$posse" list --markdown ucb && says "### learner ucb" && says "### selector ucb" &&
    says '| `width` | number | `1` | [0, 1e+50] | c: factor on the confidence radius |'
expect 0 "$posse" list beliefs --markdown && says "## Beliefs" && says "### belief beta" && says "Every belief also has:"
expect 2 "$posse" list --markdown lerner && says 'did you mean "learner"?'
