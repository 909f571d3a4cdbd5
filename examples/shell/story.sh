# SPDX-License-Identifier: MIT
# The story of examples/story.c in a shell: three rules, twelve articles, late clicks and a restart. It is sourced by
# curl.sh and redis-cli.sh, which define how to speak to a posse:
#   begin, again, finish    start a server; kill it and start it again; stop it
#   create POSSE JSON
#   add ARTICLE, retire ARTICLE
#   decide POSSE [JSON]     sets token, learner and, for an article, name
#   clicked POSSE TOKEN...  learns a reward of 1 for each
#   report POSSE            prints the report as JSON
articles=(derby soup budget chess bread storm rally tarte vote final curry comet)
topics=(sport food news) # of article k: k % 3
countries=(de fr us)
rules=(newest oldest personal)
declare -A place # of an article or a rule in its list
for k in "${!articles[@]}"; do place[${articles[k]}]=$k; done
for k in "${!rules[@]}"; do place[${rules[k]}]=$k; done
chance=1

draw() { # BELOW: sets drawn
    chance=$(((chance * 1664525 + 1013904223) % 4294967296))
    drawn=$(((chance >> 16) % $1))
}

next_visitor() {
    draw 3 && country=$drawn
    draw 60 && age=$((18 + drawn))
    draw 100 && luck=$drawn
}

clicks() { # ARTICLE: whether the visitor clicks
    local wanted=$country odds=2
    [ "$age" -le 60 ] || wanted=2
    [ $(($1 % 3)) != "$wanted" ] || odds=95
    [ "$luck" -lt "$odds" ]
}

create_posses() {
    create rules '{"learners": [{"kind": "external", "name": "newest"}, {"kind": "external", "name": "oldest"},
                                {"kind": "external", "name": "personal"}],
                   "selector": {"kind": "thompson", "model": "beta", "discount": 0.9},
                   "expire_after": 20, "expire_reward": 0}'
    create page '{"arms": ["derby", "soup", "budget", "chess"], "dim": 64,
                  "features": {"interactions": ["context*arm"], "scale": {"age": {"mean": 40, "sd": 16}}},
                  "prior": "logistic", "learners": ["logistic-thompson", "logistic-ucb"],
                  "expire_after": 20, "expire_reward": 0}'
}

personal() { # sets token and name
    local k offers=
    for k in 0 1 2 3; do
        offers+=", \"${articles[first + k]}\": {\"topic\": \"${topics[(first + k) % 3]}\"}"
    done
    decide page "{\"context\": {\"country\": \"${countries[country]}\", \"age\": $age}, \"arms\": {${offers#, }}}"
}

send_clicks() { # they arrive in batches, the latest first
    [ ${#of_rules[@]} = 0 ] || clicked rules "${of_rules[@]}"
    [ ${#of_page[@]} = 0 ] || clicked page "${of_page[@]}"
    of_rules=() of_page=()
}

tell() { # the report of the rules
    local json rule one numbers key
    json=$(report rules)
    [[ $json =~ \"verdict\":\"([^\"]*)\",\"reason\":\"([^\"]*)\" ]]
    echo "${BASH_REMATCH[1]}: ${BASH_REMATCH[2]}"
    for rule in "${rules[@]}"; do
        [[ $json =~ \"name\":\"$rule\"([^}]*) ]]
        one=${BASH_REMATCH[1]} numbers=()
        for key in rewards mean low high; do
            [[ $one =~ \"$key\":([0-9.]+) ]]
            numbers+=("${BASH_REMATCH[1]}")
        done
        printf '%-8s %3d rewards, mean %.4f, at all times %.4f to %.4f\n' "$rule" "${numbers[@]}"
    done
}

play_round() { # NUMBER
    local rule of_rule article=$first
    next_visitor
    decide rules
    rule=$learner of_rule=$token
    if [ "$rule" = newest ]; then article=$((first + 3)); fi
    if [ "$rule" = personal ]; then
        personal
        article=${place[$name]}
    fi
    if clicks "$article"; then
        of_rules=("$of_rule" "${of_rules[@]}")
        [ "$rule" != personal ] || of_page=("$token" "${of_page[@]}")
    fi
    digest=$(((31 * digest + 10 * article + ${place[$rule]}) % 4294967296))
    [ $(($1 % 40)) != 0 ] ||
        printf 'round %3d: %s, %d years: %s shows %s\n' "$1" "${countries[country]}" "$age" "$rule" "${articles[article]}"
}

digest=0 first=0 of_rules=() of_page=()
begin
trap finish EXIT
create_posses
for ((round = 0; round < 480; round++)); do
    if [ "$round" -gt 0 ] && [ $((round % 40)) = 0 ] && [ "$first" -lt 8 ]; then # the oldest article goes, a new one comes
        retire "${articles[first]}"
        first=$((first + 1))
        add "${articles[first + 3]}"
    fi
    if [ $((round % 10)) = 9 ]; then send_clicks; fi
    if [ "$round" = 205 ]; then again; fi
    play_round "$round"
done
printf 'decisions: %08x\n' "$digest"
tell
