/* SPDX-License-Identifier: MIT */
/*
 * Watchers of a posse: connections to which its state is sent again and again, as server-sent events. Without watchers,
 * nothing is done. There are at most WATCHERS_MAX watchers, and a watcher that does not read is dropped.
 */
#ifndef SERVE_WATCHERS_H
#define SERVE_WATCHERS_H

#include <event2/event.h>
#include <event2/http.h>

#include "serve/request.h"

#define WATCHERS_MAX 64
#define WATCH_MILLISECONDS 500  /* between two looks at what has changed */
#define WATCH_BEHIND_MAX 262144 /* a watcher with more unread bytes is dropped */
#define WATCH_SILENCE 15.0      /* seconds without a frame after which a comment shows that the connection is alive */

typedef struct watchers watchers;

/* settle: commits all changes, so that no watcher gets a state that is not on disk. NULL: no memory. */
watchers *watchers_make(struct event_base *base, int priority, service *s, void (*settle)(void *context),
                        void *context);

/* Ends all streams. */
void watchers_free(watchers *w);
size_t watchers_count(const watchers *w);

/* Adds a watcher for a request that was granted. From here on, the watchers answer the request. */
void watchers_add(watchers *w, struct evhttp_request *http, const request *r);

/* To be called after rights have changed: drops the watchers that have lost theirs. */
void watchers_check_rights(watchers *w);

#endif
