/* SPDX-License-Identifier: MIT */
/*
 * The server: HTTP/1.1 and JSON over TCP or a Unix socket. One thread reads all requests that have arrived, applies
 * them in order, commits them in one transaction, and only then answers them.
 */
#ifndef SERVE_SERVER_H
#define SERVE_SERVER_H

#include <stdbool.h>
#include <stddef.h>

#define LISTEN_MAX 8
#define SHOWN_MAX 64

typedef struct server_settings {
    const char *listen[LISTEN_MAX]; /* none: 127.0.0.1:7677 */
    int listen_count;
    const char *database;
    bool must_exist;              /* fail if there is no database, and do not create one */
    const char *tokens;           /* NULL: every client may do everything */
    size_t pending_max;           /* of a posse */
    size_t memory_max;            /* bytes of all posses; 0: three quarters of the machine's memory */
    size_t log_days;              /* the age of the oldest records in the log, in days; 0: any */
    size_t log_size;              /* bytes of the database beyond which old records are deleted; 0: no limit */
    double rate;                  /* requests a second for each posse; 0: without a limit */
    const char *shown[SHOWN_MAX]; /* the posses that /metrics has by their names */
    int shown_count;
    const char *access_log; /* NULL: none */
} server_settings;

typedef enum server_end { SERVER_DONE, SERVER_WRONG, SERVER_FAILED } server_end;

/* Serves until SIGTERM or SIGINT arrives. Problems are reported on standard error. */
server_end server_run(const server_settings *settings);

#endif
