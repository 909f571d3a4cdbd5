#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Every relative link of the installed documents leads to an installed file. The manual pages have every command, option
# and function of --help and the header, and man accepts them without warnings.
. "$(dirname "$0")/scripting.sh"

rm -rf "$scratch"/*
quietly cmake --install "$build_dir" --prefix "$scratch/prefix"
documents=$scratch/prefix/share/doc/posse
cd "$documents"
[ -d examples/plugins ] && [ -d experiments/paper ] || die "no examples or experiments are installed"

links=0
for document in *.md docs/*.md; do
    while IFS= read -r target; do
        case $target in http://* | https://* | '#'*) continue ;; esac
        links=$((links + 1))
        [ -e "$(dirname "$document")/${target%%#*}" ] || die "$document leads to $target, which is not installed"
    done < <(grep -oE '\]\([^) ]+\)' "$document" | sed 's/^](//; s/)$//')
done
[ $links -ge 50 ] || die "only $links links were found: does the pattern still match?"

pages=$scratch/prefix/share/man
text() { MANWIDTH=10000 man --local-file "$pages/$1"; }
program=$(text man1/posse.1)
library=$(text man3/posse.3)
for command in run paper check list report; do
    page=$(text man1/posse-$command.1)
    for option in $("$build_dir/posse" $command --help | grep -oE '^ {2,6}-.*' | grep -oE -- '--[a-z-]+'); do
        grep -qE -- "^ +(-., )*$option(=[A-Za-z.]+)?\$" <<<"$page" || die "man posse-$command does not have $option"
    done
    grep -q "posse $command" <<<"$program" || die "man posse does not have $command"
done
calls=$(grep -ohE '^POSSE_API .*' "$source_dir"/include/*.h | grep -oE 'posse_[a-z_]+\(')
for call in $calls; do grep -qF "$call" <<<"$library" || die "man 3 posse does not have $call)"; done
for page in "$pages"/man?/*; do
    complaints=$(man --warnings --local-file "$page" 2>&1 >/dev/null)
    [ -z "$complaints" ] || die "$(basename "$page"): $complaints"
done
