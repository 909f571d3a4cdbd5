/* SPDX-License-Identifier: MIT */
/*
 * Those who watch a posse learn: connections that are told its state again and again, as server-sent events. While
 * nobody watches, nothing is done. There are only so many of them, and one that does not read is dropped.
 */
#ifndef SERVE_WATCHERS_H
#define SERVE_WATCHERS_H

#include <event2/event.h>
#include <event2/http.h>

#include "serve/request.h"

#define WATCHERS_MAX 64
#define WATCH_MILLISECONDS 500  /* between two looks at what has changed */
#define WATCH_BEHIND_MAX 262144 /* bytes that a watcher has not read: then it is dropped */
#define WATCH_SILENCE 15.0      /* seconds, after which a comment shows that the connection is alive */

typedef struct watchers watchers;

/* settle: makes all that was done last, so that no watcher is told what is not on disk. NULL: no memory. */
watchers *watchers_make(struct event_base *base, int priority, service *s, void (*settle)(void *context),
                        void *context);

/* Ends all of them. */
void watchers_free(watchers *w);
size_t watchers_count(const watchers *w);

/* A new one, whom the request has been granted to: it answers from here on. */
void watchers_add(watchers *w, struct evhttp_request *http, const request *r);

/* Rights have changed: those who lost theirs are dropped. */
void watchers_check_rights(watchers *w);

#endif
