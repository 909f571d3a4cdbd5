/* SPDX-License-Identifier: MIT */
/*
 * posse erase: removes what belongs to one unit from a database that no server has open.
 */
#include <argp.h>
#include <stdio.h>

#include "cli/command.h"
#include "cli/stored_posse.h"
#include "common/clock.h"
#include "engine/engine.h"

enum { KEY_UNIT = KEY_AFTER_DATABASE, KEY_ALL };

typedef struct erase_arguments {
    stored_posse posse;
    const char *unit;
    bool all;
} erase_arguments;

static error_t parse_erase(int key, char *argument, struct argp_state *state) {
    erase_arguments *a = state->input;
    switch (key) {
    case KEY_UNIT:
        a->unit = argument;
        return 0;
    case KEY_ALL:
        a->all = true;
        return 0;
    case ARGP_KEY_END:
        stored_posse_parse(key, argument, state, &a->posse);
        if (a->all == (a->unit != NULL)) argp_error(state, "either --unit ID or --all is needed");
        return 0;
    default:
        return stored_posse_parse(key, argument, state, &a->posse);
    }
}

/* Erases whatever is to be erased, until nothing is left. False: the database cannot be written. */
static bool erase_whole(engine *e) {
    bool more = true;
    while (more)
        if (!engine_tidy(e, clock_date(), &more)) return false;
    return true;
}

static int erase_from(engine *e, const erase_arguments *a) {
    hosted *h = engine_find(e, a->posse.name);
    if (h == NULL) {
        fprintf(stderr, "posse erase: there is no posse \"%s\" in %s\n", a->posse.name, a->posse.database);
        return EXIT_USAGE;
    }
    reshape asked = {.kind = RESHAPE_ERASE, .name = a->unit};
    served_status status = engine_reshape(e, h, &asked);
    if (status != SERVED_DONE) {
        problems *found = engine_problems(e);
        fprintf(stderr, "posse erase: %s\n", problems_kept(found) > 0 ? found->list[0].text : "no memory");
        return status == SERVED_WRONG ? EXIT_USAGE : EXIT_UNFINISHED;
    }
    bool erased = engine_commit(e) && erase_whole(e);
    if (erased && a->unit != NULL && !asked.known)
        printf("%s did not remember this unit; its records, if there were any, are erased\n", a->posse.name);
    if (erased) return EXIT_DONE;
    fprintf(stderr, "posse erase: %s: %s\n", a->posse.database, engine_why(e));
    return EXIT_UNFINISHED;
}

/* A database that does not exist is not created. */
static int erase_open(const erase_arguments *a) {
    char why[300];
    store *existing = store_open_to_read(a->posse.database, why);
    store_close(existing);
    engine *e = existing != NULL ? engine_open(a->posse.database, (engine_limits){0}, why) : NULL;
    if (e == NULL) {
        fprintf(stderr, "posse erase: %s: %s\n", a->posse.database, why);
        return EXIT_USAGE;
    }
    int status = erase_from(e, a);
    engine_close(e);
    return status;
}

int command_erase(int argc, char **argv) {
    static const struct argp_option options[] = {
        OPTION_DATABASE,
        {"unit", KEY_UNIT, "ID", 0, "Erase what belongs to this unit", 0},
        {"all", KEY_ALL, NULL, 0, "Erase the features and units of all requests so far", 0},
        {0}};
    static const struct argp argp = {
        .options = options,
        .parser = parse_erase,
        .args_doc = "NAME",
        .doc =
            "Erases what belongs to one unit, such as a visitor, from the log of a posse: its id and the features of its "
            "requests. The posse forgets the arm that the unit has. The sums of the model stay.\vNo server may have the "
            "database open. A server does the same by POST /v1/posses/NAME/erase.\n\n"
            "For example:\n\n"
            "  posse erase ads --unit visitor-17 --database posse.db\n\n"
            "Exit status: 0 if all is done; 2 for wrong usage, or if there is no such posse, or the database cannot be "
            "opened; 3 if the database cannot be written."};
    erase_arguments a = {.posse = {.database = DATABASE}};
    if (options_read("posse erase", &argp, argc, argv, &a) != 0) return EXIT_USAGE;
    return erase_open(&a);
}
