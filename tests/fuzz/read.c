/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes the reader of experiments. Whatever the bytes, it returns an experiment, problems with positions, or a lack of
 * memory, and it leaks nothing. A tree that was read can be written and read again.
 */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "describe/document.h"
#include "describe/flow.h"
#include "experiment/read/reader.h"

/* A file may ask for a million arms in a thousand dimensions. This limit refuses them. */
#define MEMORY_MAX (64u << 20)

static size_t in_use;

static void *resize(void *context, void *block, size_t size) {
    (void)context;
    size_t before = block != NULL ? malloc_usable_size(block) : 0;
    if (size == 0) {
        in_use -= before;
        free(block);
        return NULL;
    }
    if (size > MEMORY_MAX || in_use - before + size > MEMORY_MAX) return NULL;
    void *larger = realloc(block, size);
    if (larger != NULL) in_use += malloc_usable_size(larger) - before;
    return larger;
}

static void expect(bool holds, const char *what) {
    if (holds) return;
    fprintf(stderr, "%s\n", what);
    abort();
}

/* Every problem has a position and a text, and a path, which is empty for the whole file. */
static void expect_positions(const problems *found) {
    expect(found->count > 0, "a file was refused without a word");
    for (size_t i = 0; i < problems_kept(found); i++) {
        const problem *one = &found->list[i];
        expect(one->at.line > 0 && one->at.column > 0, "a problem without a position");
        expect(one->path != NULL && one->text != NULL && *one->text != '\0', "a problem without a word");
        expect(strchr(one->text, '\n') == NULL && strchr(one->path, '\n') == NULL, "a problem that is not a line");
    }
}

/* The text that is written from a tree can be read as a tree. */
static void expect_text(const uint8_t *data, size_t size) {
    problems found;
    problems_open(&found, NULL);
    pool *memory = pool_create(NULL);
    const node *root = document_read((const char *)data, size, memory, &found);
    if (root != NULL && found.count == 0) {
        const char *text = flow_write(root, memory);
        expect(strlen(text) > DOCUMENT_BYTES_MAX || document_read(text, strlen(text), memory, &found) != NULL,
               "a written tree cannot be read");
    }
    pool_free(memory);
    problems_close(&found);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    posse_allocator lent = {resize, NULL};
    problems found;
    experiment *e;
    problems_open(&found, &lent);
    experiment_status status = experiment_read_text("x", (const char *)data, size, NULL, &lent, &found, &e);
    expect((e != NULL) == (status == EXPERIMENT_FINE), "the status is another one than the experiment's");
    if (status == EXPERIMENT_WRONG) expect_positions(&found);
    if (status == EXPERIMENT_FINE) expect(found.count == 0, "a file was taken, with problems");
    experiment_free(e);
    problems_close(&found);
    expect(in_use == 0, "memory was kept");
    expect_text(data, size);
    return 0;
}
