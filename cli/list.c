/* SPDX-License-Identifier: MIT */
/*
 * posse list: every kind, with the keys, defaults and ranges it declares.
 */
#include <argp.h>
#include <float.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "core/suggestion.h"
#include "options.h"
#include "posse.h"

static const char *const type_names[] = {
    [POSSE_REAL] = "number",
    [POSSE_COUNT] = "whole number",
    [POSSE_FLAG] = "true or false",
    [POSSE_WORD] = "word",
    [POSSE_REALS] = "number or list",
    [POSSE_TABLE] = "rows of numbers",
    [POSSE_PART] = "belief",
    [POSSE_PARTS] = "list of {weight, belief}",
    [POSSE_RANGE] = "[lowest, highest]",
    [POSSE_TEXT] = "text",
    [POSSE_NAMES] = "name or list of names",
};

static void print_type(const posse_param *p, char *text, size_t size) {
    if (p->type == POSSE_WORD)
        snprintf(text, size, "%s", p->words);
    else if (p->flags & POSSE_PATH)
        snprintf(text, size, "path of a file");
    else if (p->words != NULL)
        snprintf(text, size, "%s, %s", type_names[p->type], p->words);
    else
        snprintf(text, size, "%s", type_names[p->type]);
}

static void print_default(const posse_param *p, char *text, size_t size) {
    posse_option o;
    bool known = posse_param_default(p, &o);
    if (!known)
        snprintf(text, size, p->flags & POSSE_REQUIRED ? "required" : "optional");
    else if (o.word != NULL)
        snprintf(text, size, "%s", o.word);
    else if (o.list != NULL)
        snprintf(text, size, "[%g, %g]", o.list[0], o.list[1]);
    else if (p->type == POSSE_FLAG)
        snprintf(text, size, o.number != 0.0 ? "true" : "false");
    else
        snprintf(text, size, "%s%g", p->flags & POSSE_INHERITED ? "environment, else " : "", o.number);
}

static void print_range(const posse_param *p, char *text, size_t size) {
    bool numbers = p->type != POSSE_FLAG && p->type != POSSE_WORD && p->type != POSSE_PART && p->type < POSSE_TEXT;
    if (!numbers || (p->low == 0.0 && p->high == 0.0))
        text[0] = '\0';
    else
        snprintf(text, size, "%s%.10g, %.10g%s", p->flags & POSSE_ABOVE ? "(" : "[", p->low, p->high,
                 p->flags & POSSE_BELOW ? ")" : "]");
}

static void print_param(const posse_param *p) {
    char type[64], fallback[48], range[64];
    print_type(p, type, sizeof type);
    print_default(p, fallback, sizeof fallback);
    print_range(p, range, sizeof range);
    printf("      %-16s %-24s %-20s %-18s %s\n", p->name, type, fallback, range, p->help);
}

static void print_kind(posse_family family, int index) {
    printf("  %-20s %s\n", posse_kind_name(family, index), posse_kind_help(family, index));
    for (const posse_param *p = posse_kind_params(family, index); p->name != NULL; p++) print_param(p);
}

/* What every kind of a family has. If one kind alone was printed, parameters that it declares itself are not repeated.
 */
static void print_common(posse_family family, int only) {
    const posse_param *p = posse_family_params(family);
    if (p->name != NULL) printf("  every %s has also\n", posse_family_name(family));
    for (; p->name != NULL; p++)
        if (only < 0 || posse_kind_param(family, only, p->name) == p) print_param(p);
}

/* A family may be named in the singular, or in the plural as in the headings of the list. */
static bool names_family(const char *word, posse_family family) {
    const char *name = posse_family_name(family);
    size_t length = strlen(name);
    return strncmp(word, name, length) == 0 && (word[length] == '\0' || strcmp(word + length, "s") == 0);
}

/* Prints the kinds of a family that are called `only`, or all; returns how many. */
static int print_family(posse_family family, const char *only) {
    int printed = 0;
    bool all = only == NULL || names_family(only, family);
    for (int i = 0; i < posse_kind_count(family); i++) {
        if (!all && strcmp(only, posse_kind_name(family, i)) != 0) continue;
        if (printed++ == 0) printf("%ss\n", posse_family_name(family));
        print_kind(family, i);
    }
    if (printed > 0) print_common(family, all ? -1 : posse_kind_find(family, only));
    if (printed > 0) printf("\n");
    return printed;
}

static error_t parse(int key, char *argument, struct argp_state *state) {
    const char **only = state->input;
    if (key != ARGP_KEY_ARG) return options_parse(NULL, key, argument, state);
    if (*only != NULL) argp_error(state, "it takes one KIND at a time");
    *only = argument;
    return 0;
}

int command_list(int argc, char **argv) {
    static const struct argp_option options[] = {OPTION_PLUGIN, {0}};
    static const struct argp argp = {
        .options = options,
        .parser = parse,
        .args_doc = "[KIND]",
        .doc = "Lists environments, beliefs, learners and selectors: for each key its type, its default and its "
               "range.\vKIND is a kind such as `ucb`, or a family such as `learner`. A key with a dot is nested: "
               "`prior.mean` is written `prior: {mean: 0}`. Learners and selectors of a file also have a `name`, and "
               "a selector that plays only some of the learners lists their names as its `learners`. "
               "Ranges include their ends where the bracket is square."};
    const char *only = NULL;
    if (options_read("posse list", &argp, argc, argv, &only) != 0) return EXIT_USAGE;
    int printed = 0;
    for (int family = 0; family < POSSE_FAMILIES; family++) printed += print_family((posse_family)family, only);
    if (printed > 0) return EXIT_DONE;
    suggestion near = {.word = only};
    for (int family = 0; family < POSSE_FAMILIES; family++) {
        suggestion_consider(&near, posse_family_name((posse_family)family));
        for (int i = 0; i < posse_kind_count((posse_family)family); i++)
            suggestion_consider(&near, posse_kind_name((posse_family)family, i));
    }
    fprintf(stderr, "posse list: there is no kind or family \"%s\"%s (`posse list` shows them all)\n", only,
            suggestion_text(&near));
    return EXIT_USAGE;
}
