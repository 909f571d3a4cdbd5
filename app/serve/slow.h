/* SPDX-License-Identifier: MIT */
/*
 * Clients that send a request byte by byte, so that it never ends. The library's own timeout begins anew with every
 * byte; here a request as a whole has its time.
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

/* Frees what is known of all connections. */
void slow_end(void);

#endif
