/* SPDX-License-Identifier: MIT */
#include "serve/incoming.h"

#include <event2/buffer.h>
#include <event2/keyvalq_struct.h>
#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"

#define BODY_MAX (1u << 20)

/* The parts of a path, each decoded. False: it has too many parts, or a zero byte. */
static bool incoming_split_path(request *r, const char *path) {
    while (*path == '/') {
        size_t length = strcspn(++path, "/"), decoded;
        if (length == 0 && *path == '\0') return r->segment_count == 0;
        if (r->segment_count == SEGMENTS_MAX) return false;
        char *piece = strndup(path, length);
        char *text = piece != NULL ? evhttp_uridecode(piece, 0, &decoded) : NULL;
        free(piece);
        if (text == NULL) return false;
        r->segments[r->segment_count++] = text;
        if (strlen(text) != decoded) return false;
        path += length;
    }
    return *path == '\0';
}

/* Clients of Personalizer send their key in a header of its own. NULL: there is no token. */
static const char *incoming_token(const struct evkeyvalq *headers) {
    const char *said = evhttp_find_header(headers, "Authorization");
    if (said == NULL) return evhttp_find_header(headers, "Ocp-Apim-Subscription-Key");
    if (!ascii_begins(said, "Bearer ")) return NULL;
    said += 7;
    return said + strspn(said, " ");
}

static void incoming_read_bearer(request *r, const struct evkeyvalq *headers) {
    const char *said = incoming_token(headers);
    if (r->service->bearers == NULL || said == NULL) return;
    bearers_hash(said, strlen(said), r->hash);
    r->bearer = bearers_find(r->service->bearers, r->hash);
}

static bool incoming_is_local_name(const char *host) {
    static const char *const names[] = {"localhost", "127.0.0.1", "[::1]"};
    for (int i = 0; i < 3; i++) {
        size_t length = strlen(names[i]);
        if (ascii_begins(host, names[i]) && (host[length] == '\0' || host[length] == ':')) return true;
    }
    return false;
}

/*
 * Without tokens the server trusts every program on this machine, but not pages of other sites in its browsers.
 * Requests of such pages have a foreign Origin, or a Host whose name was made to point to this machine, or a header
 * Sec-Fetch-Site with cross-site. A link from another page to the board is allowed.
 */
static bool incoming_is_trusted(const struct evkeyvalq *headers) {
    const char *host = evhttp_find_header(headers, "Host"), *origin = evhttp_find_header(headers, "Origin");
    const char *site = evhttp_find_header(headers, "Sec-Fetch-Site"),
               *mode = evhttp_find_header(headers, "Sec-Fetch-Mode");
    if (host != NULL && !incoming_is_local_name(host)) return false;
    if (site != NULL && strcmp(site, "cross-site") == 0 && (mode == NULL || strcmp(mode, "navigate") != 0))
        return false;
    const char *name = origin != NULL ? strstr(origin, "://") : NULL;
    return origin == NULL || (name != NULL && host != NULL && strcmp(name + 3, host) == 0);
}

/*
 * A proxy may use the other one of two headers, and then sees other requests than this server (request smuggling; RFC
 * 9112, sections 3.2 and 6.3).
 */
static bool incoming_has_twice(const struct evkeyvalq *headers, const char *name) {
    int count = 0;
    for (const struct evkeyval *h = headers->tqh_first; h != NULL; h = h->next.tqe_next)
        count += ascii_same(h->key, name);
    return count > 1;
}

static int incoming_refuse_twice(request *r, struct evhttp_request *http, const char *name) {
    evhttp_add_header(evhttp_request_get_output_headers(http), "Connection", "close");
    return request_fail(r, STATUS_WRONG, NULL, "the header %s is there twice", name);
}

int incoming_answer(request *r, struct evhttp_request *http, bool local_only) {
    const struct evhttp_uri *uri = evhttp_request_get_evhttp_uri(http);
    const struct evkeyvalq *headers = evhttp_request_get_input_headers(http);
    struct evbuffer *body = evhttp_request_get_input_buffer(http);
    const char *path = evhttp_uri_get_path(uri);
    bool split = path != NULL && incoming_split_path(r, path);
    r->method = evhttp_request_get_command(http);
    r->query = evhttp_uri_get_query(uri);
    r->length = evbuffer_get_length(body);
    if (r->length > BODY_MAX) return request_fail(r, STATUS_LARGE, NULL, "a body has at most %u bytes", BODY_MAX);
    r->body = r->length > 0 ? (const char *)evbuffer_pullup(body, -1) : "";
    if (incoming_has_twice(headers, "Content-Length")) return incoming_refuse_twice(r, http, "Content-Length");
    if (incoming_has_twice(headers, "Host")) return incoming_refuse_twice(r, http, "Host");
    if (local_only && !incoming_is_trusted(headers))
        return request_fail(r, STATUS_FORBIDDEN, NULL, "pages of other sites may not ask this server");
    if (!split) return request_fail(r, STATUS_ABSENT, NULL, "there is nothing here");
    incoming_read_bearer(r, headers);
    return request_answer(r);
}
