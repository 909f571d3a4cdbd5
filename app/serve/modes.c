/* SPDX-License-Identifier: MIT */
/*
 * Requests about the modes of a posse.
 */
#include <stdlib.h>
#include <string.h>

#include "common/json_text.h"
#include "describe/modes_text.h"
#include "serve/request.h"

int handle_modes(request *r) {
    json_t *all = modes_json(r->hosted->served.posse);
    char *text = json_text(all, JSON_TEXT_COMPACT);
    json_decref(all);
    if (text == NULL) return request_fail(r, STATUS_DOWN, NULL, "there is not enough memory");
    json_put_copy(&r->out, text, strlen(text));
    free(text);
    return STATUS_OK;
}

/* Answers with all modes, as they are now. */
static int answer_set_modes(request *r, const served_work *w) {
    (void)w;
    return handle_modes(r);
}

int handle_set_modes(request *r) {
    return request_reshape(r, &(reshape){.kind = RESHAPE_MODES, .value = r->json}, answer_set_modes);
}
