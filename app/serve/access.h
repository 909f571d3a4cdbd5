/* SPDX-License-Identifier: MIT */
/*
 * The access log: a line of JSON for each answer. It has the route, not the path, and neither headers nor bodies, so no
 * token is ever in it.
 *
 * Lines are gathered and written once a second, or when many are there. If the file cannot be written, because its disk
 * is full or nobody reads a pipe, lines are gathered up to a limit and then dropped and counted. Requests do not
 * notice.
 */
#ifndef SERVE_ACCESS_H
#define SERVE_ACCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "served/description.h"

/* What is logged about an answer. */
typedef struct access_line {
    char client[48];                /* its address; "": on a Unix socket */
    char posse[POSSE_NAME_MAX + 1]; /* "": none */
    const char *method;
    const char *route; /* as request_route has it; NULL: there is none */
    size_t received;   /* bytes of the body of the request */
    int status;
    size_t sent; /* bytes of the body of the answer */
    double seconds;
} access_line;

typedef struct access_log access_log;

/* Opens a file to append to it, and creates it if there is none. NULL: `why` holds the reason. */
access_log *access_open(const char *path, char why[300]);
void access_close(access_log *a);

void access_note(access_log *a, const access_line *line);

/* Writes the lines that were gathered. To be called once a second. */
void access_flush(access_log *a);

/* Opens the file by its name again, after it was moved. False: the old file stays in use, and `why` holds the reason.
 */
bool access_reopen(access_log *a, char why[300]);

/* How many lines were dropped. a NULL: 0. */
uint64_t access_dropped(const access_log *a);

#endif
