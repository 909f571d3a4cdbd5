/* SPDX-License-Identifier: MIT */
/*
 * posse list: every kind, with the keys, defaults and ranges it declares.
 */
#include <argp.h>
#include <stdio.h>
#include <string.h>

#include "base/suggestion.h"
#include "cli/command.h"
#include "cli/list_markdown.h"
#include "cli/options.h"
#include "cli/param_text.h"
#include "cli/screen.h"
#include "posse.h"

#define KEYS_FROM 6   /* the column of a key */
#define TEXTS_FROM 23 /* the column of the texts about keys and kinds */

/* "number in [0, 1]; default 0.5" */
static void list_describe(const posse_param *p, char *text, size_t size) {
    char type[PARAM_TEXT], fallback[PARAM_TEXT], range[PARAM_TEXT];
    param_type_text(p, type);
    param_default_text(p, fallback);
    param_range_text(p, range);
    bool or_words = p->words != NULL && p->type != POSSE_TYPE_WORD;
    const char *without = p->flags & POSSE_PARAM_REQUIRED ? "required" : "optional";
    snprintf(text, size, "%s%s%s%s%s; %s%s", type, range[0] != '\0' ? " in " : "", range, or_words ? ", or " : "",
             or_words ? p->words : "", fallback[0] != '\0' ? "default " : without, fallback);
}

/* A name, padded; one that leaves no space before the text has a line of its own. */
static void print_name(const char *name, int from) {
    int columns = screen_columns(name), room = TEXTS_FROM - from - columns;
    printf("%*s%s", from, "", name);
    room > 0 ? printf("%*s", room, "") : printf("\n%*s", TEXTS_FROM, "");
}

static void print_param(const posse_param *p) {
    char text[4 * PARAM_TEXT];
    list_describe(p, text, sizeof text);
    print_name(p->name, KEYS_FROM);
    screen_wrap(stdout, text, TEXTS_FROM, screen_width(stdout));
    printf("%*s", TEXTS_FROM, "");
    screen_wrap(stdout, p->help, TEXTS_FROM, screen_width(stdout));
}

static void print_kind(posse_family family, int index) {
    print_name(posse_kind_name(family, index), 2);
    screen_wrap(stdout, posse_kind_help(family, index), TEXTS_FROM, screen_width(stdout));
    for (const posse_param *p = posse_kind_params(family, index); p->name != NULL; p++) print_param(p);
}

/*
 * Prints the parameters that every kind of a family has. If one kind alone was printed, parameters that it declares
 * itself are not repeated.
 */
static void print_common(posse_family family, int only) {
    const posse_param *p = posse_family_params(family);
    if (p->name != NULL) printf("  every %s also has\n", posse_family_name(family));
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

/* A request: a kind, a family, or NULL for all; and the form. */
typedef struct wish {
    const char *only;
    bool markdown;
} wish;

enum { KEY_MARKDOWN = KEY_OWN };

static error_t list_parse(int key, char *argument, struct argp_state *state) {
    wish *w = state->input;
    if (key == KEY_MARKDOWN) {
        w->markdown = true;
        return 0;
    }
    if (key != ARGP_KEY_ARG) return options_parse(NULL, key, argument, state);
    if (w->only != NULL) argp_error(state, "it takes one KIND at a time");
    w->only = argument;
    return 0;
}

static int print_wish(const wish *w, posse_family family) {
    if (!w->markdown) return print_family(family, w->only);
    return list_markdown(family, w->only != NULL && names_family(w->only, family) ? NULL : w->only);
}

static void list_suggest(const char *word) {
    suggestion near = {.word = word};
    for (int family = 0; family < POSSE_FAMILY_COUNT; family++) {
        suggestion_consider(&near, posse_family_name((posse_family)family));
        for (int i = 0; i < posse_kind_count((posse_family)family); i++)
            suggestion_consider(&near, posse_kind_name((posse_family)family, i));
    }
    fprintf(stderr, "posse list: there is no kind or family \"%s\"%s (`posse list` shows them all)\n", word,
            suggestion_text(&near));
}

int command_list(int argc, char **argv) {
    static const struct argp_option options[] = {
        {"markdown", KEY_MARKDOWN, NULL, 0, "As Markdown, with a heading and a table for each kind", 0},
        OPTION_PLUGIN,
        {0}};
    static const struct argp argp = {
        .options = options,
        .parser = list_parse,
        .args_doc = "[KIND]",
        .doc = "Lists environments, beliefs, learners and selectors: for each key its type, its default and its "
               "range.\vKIND is a kind such as `ucb`, or a family such as `learner`. A key with a dot is nested: "
               "`prior.mean` is written `prior: {mean: 0}`. Learners and selectors of a file also have a `name`, and "
               "a selector that plays only some of the learners lists their names as its `learners`. "
               "Ranges include their ends where the bracket is square."};
    wish w = {0};
    if (options_read("posse list", &argp, argc, argv, &w) != 0) return EXIT_USAGE;
    int printed = 0;
    for (int family = 0; family < POSSE_FAMILY_COUNT; family++) printed += print_wish(&w, (posse_family)family);
    if (printed > 0) return EXIT_DONE;
    list_suggest(w.only);
    return EXIT_USAGE;
}
