/* SPDX-License-Identifier: MIT */
#include "describe/json_document.h"

#include <string.h>

#include "data/json_reader.h"
#include "describe/flow.h"

static const spot nowhere;

/* A text that YAML allows without quotes is added as plain, so that messages call it a word and not a quoted text. */
static void json_document_add_text(tree *t, const json_token *token) {
    char *text = pool_allocate(t->memory, token->length + 1);
    size_t length = text != NULL ? json_reader_spell(token, text) : 0;
    bool plain = text != NULL && strlen(text) == length && flow_is_plain(text);
    tree_add_scalar(t, text, length, plain, nowhere);
}

/* Numbers, true, false and null are written as in YAML. */
static void json_document_add_plain(tree *t, const json_token *token) {
    tree_add_scalar(t, pool_copy(t->memory, token->at, token->length), token->length, true, nowhere);
}

static void json_document_add(tree *t, json_reader *r, const json_token *token) {
    switch (token->type) {
    case JSON_TOKEN_MAP:
        tree_open(t, NODE_MAP, nowhere);
        break;
    case JSON_TOKEN_LIST:
        tree_open(t, NODE_LIST, nowhere);
        break;
    case JSON_TOKEN_MAP_END:
    case JSON_TOKEN_LIST_END:
        tree_close(t);
        break;
    case JSON_TOKEN_KEY:
    case JSON_TOKEN_TEXT:
        json_document_add_text(t, token);
        break;
    case JSON_TOKEN_WRONG:
        problem_at(t->found, (location){0}, "this is not JSON: line %zu, column %zu: %s", r->problem.line,
                   r->problem.column, r->problem.text);
        t->over = true;
        break;
    case JSON_TOKEN_END:
        break;
    default:
        json_document_add_plain(t, token);
    }
}

const node *json_document_read(const char *text, size_t length, const tree_bound *bounds, pool *memory,
                               problems *found) {
    tree t = {.memory = memory, .found = found, .bounds = bounds};
    json_reader r = json_reader_open(text, length);
    json_token token = {0};
    if (length > JSON_DOCUMENT_BYTES_MAX) {
        problem_at(found, (location){0}, "the description is larger than %u bytes", JSON_DOCUMENT_BYTES_MAX);
        return NULL;
    }
    do {
        token = json_reader_next(&r);
        json_document_add(&t, &r, &token);
    } while (token.type != JSON_TOKEN_END && !t.over);
    return t.over || pool_failed(memory) ? NULL : t.root;
}
