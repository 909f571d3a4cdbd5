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

static const char TYPE_SCRIPT[] = "text/javascript; charset=utf-8";

int handle_board(request *r) {
    return put_asset(r, "board.html", TYPE_PAGE);
}

int handle_board_style(request *r) {
    return put_asset(r, "board.css", "text/css; charset=utf-8");
}

int handle_board_script(request *r) {
    return put_asset(r, "board.js", TYPE_SCRIPT);
}

int handle_board_charts(request *r) {
    static const char name[] = "const palette = ";
    json_put_copy(&r->out, name, sizeof name - 1);
    put_asset(r, "palette.json", TYPE_SCRIPT);
    put_asset(r, "elements.js", TYPE_SCRIPT);
    put_asset(r, "plot.js", TYPE_SCRIPT);
    return put_asset(r, "charts.js", TYPE_SCRIPT);
}

int handle_board_history(request *r) {
    return put_asset(r, "history.js", TYPE_SCRIPT);
}

int handle_openapi(request *r) {
    return put_asset(r, "openapi.json", NULL);
}
