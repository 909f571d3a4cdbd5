/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes the reader of priors. Whatever the bytes, it returns a belief, or a problem with a message. A prior that was
 * read is written, and read again as the same text. A text that is in our subset of YAML is read as the same tree by a
 * reader of all of YAML.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/outline.h"
#include "describe/document.h"
#include "posse_kinds.h"

static void expect(bool holds, const char *what) {
    if (holds) return;
    fprintf(stderr, "%s\n", what);
    abort();
}

static bool told;

static void hear(void *context, const posse_place *place, const char *message) {
    (void)context, (void)place;
    told = told || strlen(message) > 5;
}

/* ------------------------------------------------- the same tree ----------------------------------------------- */

static void expect_same(const outline *ours, const node *theirs) {
    static const node_type types[] = {
        [OUTLINE_SCALAR] = NODE_SCALAR, [OUTLINE_LIST] = NODE_LIST, [OUTLINE_MAP] = NODE_MAP};
    expect(types[ours->type] == theirs->type && ours->count == theirs->count, "another tree than libfyaml's");
    if (ours->type == OUTLINE_SCALAR)
        expect(strcmp(ours->word, theirs->text) == 0 && ours->quoted == !theirs->plain,
               "another scalar than libfyaml's");
    const node *n = theirs->first;
    for (const outline *o = ours->first; o != NULL; o = o->next, n = n->next) {
        expect((o->key == NULL) == (n->key == NULL), "a key that libfyaml does not have");
        expect(o->key == NULL || strcmp(o->key, n->key) == 0, "another key than libfyaml's");
        expect_same(o, n);
    }
}

static void compare(const char *text, size_t size) {
    arena memory = {0};
    data_problem wrong;
    outline *root;
    posse_error error = outline_read(text, size, &memory, &wrong, &root);
    expect(error == POSSE_OK || (wrong.line > 0 && wrong.column > 0 && strlen(wrong.text) > 5),
           "refused without a word");
    if (error == POSSE_OK) {
        pool *theirs = pool_create(NULL);
        problems found;
        problems_open(&found, NULL);
        const node *tree = document_read(text, size, theirs, &found);
        expect(tree != NULL && found.count == 0, "libfyaml refuses it");
        expect_same(root, tree);
        problems_close(&found);
        pool_free(theirs);
    }
    arena_release(&memory);
}

/* ------------------------------------------ writing and reading again ------------------------------------------ */

static char *text_of(const posse_prior *prior) {
    size_t length = posse_prior_text(prior, NULL, 0);
    char *text = malloc(length + 1);
    posse_prior_text(prior, text, length + 1);
    return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const posse_host host = {.log = {hear, NULL}};
    posse_prior *prior, *again;
    if (size > 4096) return 0;
    compare((const char *)data, size);
    told = false;
    if (posse_prior_read_text("x", (const char *)data, size, &host, &prior) != POSSE_OK) {
        expect(told, "a prior was refused without a word");
        return 0;
    }
    char *text = text_of(prior);
    expect(posse_prior_read_text("x", text, strlen(text), &host, &again) == POSSE_OK, "a written prior is not read");
    char *second = text_of(again);
    expect(strcmp(text, second) == 0, "the second time it is another text");
    free(text), free(second);
    posse_prior_free(prior), posse_prior_free(again);
    return 0;
}
