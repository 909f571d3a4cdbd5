/* SPDX-License-Identifier: MIT */
/*
 * posse serve: decisions and rewards over HTTP.
 */
#include <argp.h>

#include "cli/command.h"
#include "cli/options.h"
#include "cli/serving.h"
#include "serve/server.h"

#define PENDING 1000000
#define MEMORY_MAX (1 << 30)
#define RATE_MAX 1000000000
#define DAYS_MAX 100000

enum {
    KEY_LISTEN = KEY_OWN,
    KEY_DATABASE,
    KEY_MUST_EXIST,
    KEY_TOKENS,
    KEY_PENDING,
    KEY_MEMORY,
    KEY_RATE,
    KEY_LOG_DAYS,
    KEY_LOG_SIZE,
    KEY_METRICS_OF,
    KEY_ACCESS_LOG
};

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
    case KEY_MUST_EXIST:
        s->must_exist = true;
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
    case KEY_LOG_DAYS:
        s->log_days = (size_t)options_whole_number(state, "log-days", argument, 1, DAYS_MAX);
        return 0;
    case KEY_LOG_SIZE:
        s->log_size = (size_t)options_whole_number(state, "log-size", argument, 1, MEMORY_MAX) << 20;
        return 0;
    case KEY_METRICS_OF:
        if (s->shown_count == SHOWN_MAX) argp_error(state, "--metrics-of can be given %d times at most", SHOWN_MAX);
        s->shown[s->shown_count++] = argument;
        return 0;
    case KEY_ACCESS_LOG:
        s->access_log = argument;
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
         "Listen on HOST:PORT or unix:PATH (default: 127.0.0.1:7677); may be repeated", 0},
        {"database", KEY_DATABASE, "FILE", 0,
         "The database (default: " DATABASE "); it is created if it does not exist", 0},
        {"must-exist", KEY_MUST_EXIST, NULL, 0,
         "Do not create the database: fail if there is none, for example because its disk is not mounted", 0},
        {"tokens", KEY_TOKENS, "FILE", 0,
         "The tokens and their rights; each line has the SHA-256 of a token, roles, and a posse or *", 0},
        {"pending", KEY_PENDING, "N", 0, "At most N decisions of a posse may wait for a reward (default: 1000000)", 0},
        {"memory", KEY_MEMORY, "MIB", 0,
         "Memory limit for all posses, in MiB (default: three quarters of the machine's, container's or systemd unit's)",
         0},
        {"rate", KEY_RATE, "N", 0, "At most N requests a second for each posse (default: no limit)", 0},
        {"log-days", KEY_LOG_DAYS, "DAYS", 0, "Delete records of the log that are older (default: keep all)", 0},
        {"log-size", KEY_LOG_SIZE, "MIB", 0,
         "Delete the oldest records of the log while the database has more than this, in MiB (default: keep all)", 0},
        {"metrics-of", KEY_METRICS_OF, "NAME", 0,
         "Show this posse by its name in /metrics (default: none); may be repeated, at most 64 times", 0},
        {"access-log", KEY_ACCESS_LOG, "FILE", 0,
         "Append a line of JSON for each answer to this file (default: none); SIGHUP opens it again", 0},
        {0}};
    static const struct argp argp = {
        .options = options,
        .parser = parse_serve,
        .doc =
            "Makes decisions over HTTP and stores everything that is learned in a database."
            "\vEvery answer is sent after its effect is on disk. Addresses that other machines can reach need "
            "--tokens. A line of that file has the SHA-256 of a token in hexadecimal, roles (decide, learn, admin) with "
            "commas between them, and the posse that they are for, or * for all. This makes a line:\n\n"
            "  echo \"$(printf %s SECRET | sha256sum | cut -d' ' -f1) decide,learn ads\"\n\n"
            "The guides are docs/serving.md and docs/operating.md, which are installed in share/doc/posse (Debian: the "
            "package posse-doc).\n\n"
            "For example:\n\n"
            "  posse serve --listen unix:/run/posse.socket --database /var/lib/posse.db\n\n"
            "SIGTERM and SIGINT end the server. It accepts no new connections, answers the requests that it has, for at "
            "most 5 seconds, and writes snapshots. A second signal ends it at once; answered requests are on disk "
            "already. SIGHUP opens the access log again and reads the file of --tokens; if the file is wrong, the old tokens stay valid.\n\n"
            "Exit status: 0 if a signal ended it; 2 for wrong usage, a wrong file of tokens, or an address that it cannot "
            "listen on; 3 if the database cannot be opened, or there is not enough memory."};
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
