/* SPDX-License-Identifier: MIT */
#include "python/src/spool.h"

#include <stdlib.h>
#include <unistd.h>

#include "common/text.h"
#include "experiment/record/curves.h"

const char *spool_place(void) {
    const char *place = getenv("TMPDIR");
    return place != NULL && *place != '\0' ? place : "/tmp";
}

/* As tmpfile, but in a folder that can be chosen. */
static FILE *open_unnamed(void) {
    char *path = text_format("%s/posse.XXXXXX", spool_place());
    int descriptor = path != NULL ? mkstemp(path) : -1;
    if (descriptor >= 0) unlink(path);
    free(path);
    FILE *file = descriptor >= 0 ? fdopen(descriptor, "w+b") : NULL;
    if (descriptor >= 0 && file == NULL) close(descriptor);
    return file;
}

bool spool_open(spool *s, const agenda *a) {
    *s = (spool){.agenda = a, .file = open_unnamed()};
    return s->file != NULL && sheet_open(&s->shape, a);
}

void spool_close(spool *s) {
    if (s->file != NULL) fclose(s->file);
    if (s->shape.memory != NULL) sheet_close(&s->shape);
    *s = (spool){0};
}

/* Writes numbers of single runs to the file, or reads them back. */
typedef bool (*transfer)(void *numbers, size_t size, size_t count, FILE *file);

static bool spool_put(void *numbers, size_t size, size_t count, FILE *file) {
    return fwrite(numbers, size, count, file) == count;
}

static bool spool_get(void *numbers, size_t size, size_t count, FILE *file) {
    return fread(numbers, size, count, file) == count;
}

/* Sizes are written before the chunks, because they are needed to read the chunks. */
static bool spool_move(const spool *s, const block *b, transfer way) {
    const agenda *a = s->agenda;
    if (!way(b->heads, sizeof *b->heads, b->count * s->shape.head_count, s->file)) return false;
    if (!b->curves) return true;
    if (!way(b->chunk_sizes, sizeof *b->chunk_sizes, curves_count(a), s->file)) return false;
    size_t packed = block_packed(b, a);
    return packed != SIZE_MAX && way(b->chunks, 1, packed, s->file);
}

bool spool_take(spool *s, const block *b) {
    return spool_move(s, b, spool_put);
}

bool spool_replay(spool *s, bool (*take)(void *context, const block *b), void *context) {
    block b = {0};
    bool ok = block_open(&b, s->agenda, &s->shape) && fflush(s->file) == 0;
    rewind(s->file);
    for (uint32_t i = 0; i < s->agenda->blocks && ok; i++) {
        block_fill(&b, s->agenda, i);
        ok = spool_move(s, &b, spool_get) && take(context, &b);
    }
    block_close(&b);
    return ok;
}
