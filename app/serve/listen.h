/* SPDX-License-Identifier: MIT */
/*
 * Where the server listens: HOST:PORT, or unix:PATH.
 */
#ifndef SERVE_LISTEN_H
#define SERVE_LISTEN_H

#include <stdbool.h>

typedef struct listening {
    int socket;
    bool local;        /* only this machine can reach it */
    char path[108];    /* of a Unix socket, to be removed in the end; or empty */
    char address[300]; /* for people: http://127.0.0.1:7677, or unix:PATH */
} listening;

/* Opens a socket. False: `why` holds the reason. beyond: whether other machines may reach it. */
bool listen_open(const char *where, bool beyond, listening *out, char why[400]);
void listen_close(const listening *l);

#endif
