/* SPDX-License-Identifier: MIT */
/*
 * Clients that send a request byte by byte, so that it never ends. libevent's own timeout begins anew with every byte;
 * here the whole request must arrive within REQUEST_SECONDS.
 */
#ifndef SERVE_SLOW_H
#define SERVE_SLOW_H

#include <event2/bufferevent.h>
#include <stdbool.h>

#define REQUEST_SECONDS 30.0

/* Watches a new connection, which may be NULL. Returns it. */
struct bufferevent *slow_watch(struct bufferevent *connection);

/* A request of the connection is complete. */
void slow_served(struct bufferevent *connection);

/* Frees the table of connections. */
void slow_end(void);

#endif
