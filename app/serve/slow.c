/* SPDX-License-Identifier: MIT */
/*
 * libevent gives no notice when it frees a connection, so no memory belongs to a connection: there is a line for each
 * descriptor. A descriptor that is used again belongs to another socket, which has another inode number.
 */
#include "serve/slow.h"

#include <event2/buffer.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>

#include "common/clock.h"

typedef struct line {
    ino_t socket;
    double began; /* when the request that is being read began; 0: none is being read */
} line;

static line *lines;
static size_t line_count;

/* NULL: no memory, and the connection is not watched. */
static line *slow_line_of(struct bufferevent *connection) {
    evutil_socket_t descriptor = bufferevent_getfd(connection);
    if (descriptor < 0) return NULL;
    size_t at = (size_t)descriptor;
    if (at >= line_count) {
        size_t count = 2 * at + 64;
        line *larger = realloc(lines, count * sizeof *larger);
        if (larger == NULL) return NULL;
        for (size_t i = line_count; i < count; i++) larger[i] = (line){0};
        lines = larger;
        line_count = count;
    }
    return &lines[at];
}

static ino_t socket_of(struct bufferevent *connection) {
    struct stat about = {0};
    fstat(bufferevent_getfd(connection), &about);
    return about.st_ino;
}

static void on_input(struct evbuffer *input, const struct evbuffer_cb_info *info, void *context) {
    (void)input;
    struct bufferevent *connection = context;
    line *l = info->n_added > 0 ? slow_line_of(connection) : NULL;
    if (l == NULL) return;
    double now = clock_now();
    bool late = l->began != 0.0 && now - l->began > REQUEST_SECONDS;
    if (late && l->socket == socket_of(connection))
        bufferevent_trigger_event(connection, BEV_EVENT_READING | BEV_EVENT_TIMEOUT, BEV_TRIG_DEFER_CALLBACKS);
    else if (late || l->began == 0.0)
        *l = (line){socket_of(connection), now};
}

struct bufferevent *slow_watch(struct bufferevent *connection) {
    if (connection != NULL) evbuffer_add_cb(bufferevent_get_input(connection), on_input, connection);
    return connection;
}

void slow_served(struct bufferevent *connection) {
    line *l = slow_line_of(connection);
    if (l != NULL) l->began = 0.0;
}

void slow_end(void) {
    free(lines);
    lines = NULL;
    line_count = 0;
}
