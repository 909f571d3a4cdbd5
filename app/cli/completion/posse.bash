# SPDX-License-Identifier: MIT
# Completion of posse in bash. The program itself is asked for its commands, options and kinds.

_posse_kinds() { # PROGRAM: kinds are indented by two, families are headings in the plural
    "$1" list 2>/dev/null | sed -n -e 's/^  \([a-z][a-z0-9-]*\)  .*/\1/p' -e 's/^\([a-z]*\)s$/\1/p' | sort -u
}

# What the help calls the next argument: NAME of --option=NAME after such an option, else the last word of the usage.
_posse_wanted() { # HELP WORD_BEFORE
    if [[ $2 =~ ^-[a-z-]+$ ]]; then
        sed -n "s/^ .*$2\(, [^ ]*\)*=\([A-Z]*\).*/\2/p" <<<"$1" | grep . && return
    fi
    sed -n '1s/.*[ []\([A-Z]*\)[].]*$/\1/p' <<<"$1"
}

_posse() {
    local program=${COMP_WORDS[0]} command=${COMP_WORDS[1]} word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
    local words="" help
    COMPREPLY=()
    if ((COMP_CWORD == 1)) || [[ $COMP_CWORD == 2 && $command == help ]]; then
        words=$("$program" --help 2>/dev/null | sed -n 's/^  posse \([a-z-]*\) .*/\1/p')
    elif [[ $COMP_CWORD == 2 && $command == prior && $word != -* ]]; then
        words=fit
    else
        help=$("$program" "$command" --help 2>/dev/null) || return
        case $word,$(_posse_wanted "$help" "$before") in
        -*) words=$(sed -n 's/^ \{2,6\}\(-., \)*\(--[a-z-]*\).*/\2/p' <<<"$help") ;;
        *,KIND) words=$(_posse_kinds "$program") ;;
        *,DIR)
            compopt -o filenames 2>/dev/null
            mapfile -t COMPREPLY < <(compgen -d -- "$word")
            return
            ;;
        esac
    fi
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}

# If nothing is offered, bash completes file names.
complete -o bashdefault -o default -F _posse posse
