/* SPDX-License-Identifier: MIT */
/*
 * posse serve: decisions and rewards over HTTP.
 */
#include <argp.h>

#include "command.h"
#include "options.h"
#include "serve/server.h"
#include "serving.h"

#define PENDING 1000000
#define MEMORY_MAX (1 << 30)
#define RATE_MAX 1000000000

enum { KEY_LISTEN = KEY_OWN, KEY_DATABASE, KEY_TOKENS, KEY_PENDING, KEY_MEMORY, KEY_RATE };

static error_t parse_serve(int key, char *argument, struct argp_state *state) {
    server_settings *s = state->input;
    switch (key) {
    case KEY_LISTEN:
        if (s->listen_count == LISTEN_MAX) argp_error(state, "--listen can be given %d times at most", LISTEN_MAX);
        s->listen[s->listen_count++] = argument;
        return 0;
    case KEY_DATABASE:
        s->database = argument;
        return 0;
    case KEY_TOKENS:
        s->tokens = argument;
        return 0;
    case KEY_PENDING:
        s->pending_max = (size_t)options_whole_number(state, "pending", argument, 1, UINT32_MAX);
        return 0;
    case KEY_MEMORY:
        s->memory_max = (size_t)options_whole_number(state, "memory", argument, 1, MEMORY_MAX) << 20;
        return 0;
    case KEY_RATE:
        s->rate = (double)options_whole_number(state, "rate", argument, 1, RATE_MAX);
        return 0;
    case ARGP_KEY_ARG:
        argp_error(state, "it takes no argument \"%s\"", argument);
        return EINVAL;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

int command_serve(int argc, char **argv) {
    static const struct argp_option options[] = {
        {"listen", KEY_LISTEN, "WHERE", 0,
         "HOST:PORT or unix:PATH, 127.0.0.1:7677 if none is given; may be given again", 0},
        {"database", KEY_DATABASE, "FILE", 0, "The database, " DATABASE " if none is given; it is made if need be", 0},
        {"tokens", KEY_TOKENS, "FILE", 0, "Who may do what: lines of SHA-256, roles, and a posse or *", 0},
        {"pending", KEY_PENDING, "N", 0, "At most N decisions of a posse wait for a reward; 1000000", 0},
        {"memory", KEY_MEMORY, "MIB", 0,
         "At most so much for all posses; unless given, three quarters of the machine's", 0},
        {"rate", KEY_RATE, "N", 0, "At most N requests a second for each posse; without it there is no limit", 0},
        {0}};
    static const struct argp argp = {
        .options = options,
        .parser = parse_serve,
        .doc = "Serves decisions over HTTP and keeps all that is learned in a database."
               "\vNothing is answered before it is on disk. SIGTERM ends it once what was asked is answered; SIGHUP "
               "reads the tokens again. Beyond this machine it listens only with --tokens.\n\nFor example:\n"
               "  posse serve --listen unix:/run/posse/socket \\\n"
               "    --database /var/lib/posse/posse.db\n"};
    server_settings settings = {.database = DATABASE, .pending_max = PENDING};
    if (options_read("posse serve", &argp, argc, argv, &settings) != 0) return EXIT_USAGE;
    switch (server_run(&settings)) {
    case SERVER_DONE:
        return EXIT_DONE;
    case SERVER_WRONG:
        return EXIT_USAGE;
    default:
        return EXIT_UNFINISHED;
    }
}
