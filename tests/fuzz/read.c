/*
 * Whatever the bytes, reading them as an experiment ends, in an experiment or in problems with positions, and leaves
 * nothing behind.
 */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiment/read/reader.h"

/* A file may ask for a million arms in a thousand dimensions. Here it does not get them. */
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

/* Every line of problems is "x:LINE:COLUMN: message", but for one that may say how many more there are. */
static void expect_positions(const char *text) {
    expect(*text != '\0', "a file was refused without a word");
    while (*text != '\0') {
        int line = 0, column = 0, used = 0;
        bool more = strncmp(text, "x: and ", 7) == 0;
        expect(more || (sscanf(text, "x:%d:%d: %n", &line, &column, &used) == 2 && used > 0 && line > 0 && column > 0),
               "a problem without a position");
        text = strchr(text, '\n');
        expect(text != NULL, "a problem that is not a line");
        text++;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    posse_allocator lent = {resize, NULL};
    char *said = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&said, &length);
    experiment *e = experiment_read_text("x", (const char *)data, size, NULL, &lent, out);
    fclose(out);
    if (e == NULL)
        expect_positions(said);
    else
        expect(length == 0, "a file was taken, with problems");
    experiment_free(e);
    free(said);
    expect(in_use == 0, "the library kept memory");
    return 0;
}
