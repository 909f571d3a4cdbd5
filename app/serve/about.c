/* SPDX-License-Identifier: MIT */
/*
 * Whether the server is alive and ready.
 */
#include "serve/request.h"

static int about_put_word(request *r, const char *key, const char *word, int status) {
    json_open(&r->out, '{');
    json_text_at(&r->out, key, word);
    json_close(&r->out, '}');
    return status;
}

int handle_health(request *r) {
    return about_put_word(r, "status", "alive", STATUS_OK);
}

int handle_ready(request *r) {
    const service *s = r->service;
    if (engine_is_lost(s->engine)) return request_fail(r, STATUS_DOWN, NULL, "the database cannot be read");
    if (s->draining) return request_fail(r, STATUS_DOWN, NULL, "the server is about to end");
    return about_put_word(r, "status", "ready", STATUS_OK);
}
