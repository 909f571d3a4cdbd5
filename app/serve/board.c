/* SPDX-License-Identifier: MIT */
/*
 * The board: a page that shows the posses and watches one learn. Everybody may read it, since it contains no data: it
 * requests the data with the token that its reader types in.
 */
#include <string.h>

#include "serve/assets.h"
#include "serve/request.h"

static const asset *find_asset(const char *name) {
    const asset *a = serve_assets;
    while (a->name != NULL && strcmp(a->name, name) != 0) a++;
    return a;
}

static int put_asset(request *r, const char *name, const char *type) {
    const asset *a = find_asset(name);
    r->type = type;
    json_put_copy(&r->out, a->text, a->size);
    return STATUS_OK;
}

int handle_board(request *r) {
    return put_asset(r, "board.html", TYPE_PAGE);
}

int handle_board_style(request *r) {
    return put_asset(r, "board.css", "text/css; charset=utf-8");
}

int handle_board_script(request *r) {
    return put_asset(r, r->segments[0], "text/javascript; charset=utf-8");
}

int handle_openapi(request *r) {
    return put_asset(r, "openapi.json", NULL);
}
