#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The completions of bash and zsh offer exactly the commands, options and kinds that the program lists.
. "$(dirname "$0")/scripting.sh"

PATH=$build_dir:$PATH
. "$source_dir/app/cli/completion/posse.bash"

offered() { # WORDS...: prints the offers of bash for the last word, on one line
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
    _posse
    echo "${COMPREPLY[*]}"
}

expect() { # OFFER WORDS...
    local wanted=$1 got
    shift
    got=$(offered "$@")
    [ "$got" = "$wanted" ] || die "\"$*\" and Tab: \"$got\" instead of \"$wanted\""
}

expect "run paper check list report prior serve export erase --version help" posse ""
expect "run report" posse r
expect "list" posse help l
expect "fit" posse prior ""
expect "--columns --components" posse prior fit --co
expect "--threads" posse run --th
expect "" posse run --no-such
expect "" posse no-such-command --th
expect "ucb uniform" posse list u
expect "learner linear linear-thompson linear-ucb log logistic logistic-thompson logistic-ucb" posse list l

mkdir -p "$scratch/folder/inside"
touch "$scratch/folder/experiment.yaml"
cd "$scratch/folder"
for words in "report" "run -o" "run --output" "paper x.yaml -o"; do expect inside posse $words ""; done
expect "" posse run "" # bash itself completes files

# Completion offers every option that --help lists, and no other.
for command in run paper check list report prior serve export erase; do
    listed=$(posse $command --help | grep -oE '^ {2,6}-.*' | grep -oE -- '--[a-z-]+' | sort)
    [ -n "$listed" ] && [ "$(offered posse $command -- | tr ' ' '\n' | sort)" = "$listed" ] ||
        die "the options of posse $command are not those that --help lists"
done

needs zsh

# zsh completes in a pseudo-terminal, where Control-X prints the completed line.
cat >"$scratch/ask.zsh" <<'ZSH'
zmodload zsh/zpty
typeset answer

read_until() { # TEXT
    local piece
    answer=
    repeat 20000; do
        if zpty -r -t shell piece; then answer+=$piece; else sleep 0.05; fi
        [[ $answer == *$1* ]] && return
    done
    print -r -- "no \"$1\" in: $answer"
    exit 1
}

zpty shell zsh -f -i
zpty -w shell "stty -echo; fpath=(${(q)1} \$fpath); autoload -Uz compinit; compinit -u -d ${(q)2}"
zpty -w shell 'show() { print -r -- "<$BUFFER>"; BUFFER= }; zle -N show; bindkey ^X show; print rea""dy'
read_until ready
while IFS=: read -r question wanted; do
    zpty -w -n shell "$question"$'\t\x18'
    read_until "<$wanted>"
done <<QUESTIONS
posse pap:posse paper 
posse help che:posse help check 
posse run --th:posse run --threads 
posse list epsilon:posse list epsilon-greedy 
posse prior f:posse prior fit 
posse report in:posse report inside/
posse run -o in:posse run -o inside/
posse run exp:posse run experiment.yaml 
QUESTIONS
ZSH
zsh -f "$scratch/ask.zsh" "$source_dir/app/cli/completion" "$scratch/zcompdump" || die "zsh does not complete"
