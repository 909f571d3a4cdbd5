/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes both readers of priors: that of JSON in the library, and that of files. Whatever the bytes, each returns a
 * belief, or a problem with a message. A prior that was read is written, and read again as the same text. What both
 * readers accept is the same prior.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "describe/prior_file.h"

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

static char *json_of(const posse_prior *prior) {
    size_t length = posse_prior_text(prior, NULL, 0);
    char *text = malloc(length + 1);
    posse_prior_text(prior, text, length + 1);
    return text;
}

static char *yaml_of(const posse_prior *prior) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    prior_file_write(out, prior, false);
    fclose(out);
    return text;
}

/* NULL: it was refused. */
static posse_prior *read_json(const char *text, size_t length) {
    const posse_host host = {.log = {hear, NULL}};
    posse_prior *prior;
    told = false;
    posse_error error = posse_prior_read_text(text, length, &host, &prior);
    expect(error == POSSE_OK || told, "a text was refused without a word");
    return prior;
}

static posse_prior *read_file(const char *text, size_t length) {
    posse_prior *prior;
    problems found;
    problems_open(&found, NULL);
    bool done = prior_file_read_text("x", text, length, &(posse_allocator){0}, &found, &prior);
    expect(done == (found.count == 0) && done == (prior != NULL), "a file was refused without a word");
    problems_close(&found);
    return prior;
}

static void expect_same(const posse_prior *prior, posse_prior *again, const char *what) {
    expect(again != NULL, what);
    char *text = json_of(prior), *second = json_of(again);
    expect(strcmp(text, second) == 0, what);
    free(text), free(second);
    posse_prior_free(again);
}

static bool has_word(const posse_part *part) {
    for (int i = 0; i < POSSE_OPTIONS_MAX && part->options[i].key != NULL; i++) {
        const posse_option *o = &part->options[i];
        for (size_t k = 0; o->part != NULL && k < o->count; k++)
            if (has_word(&o->part[k])) return true;
        if (o->word != NULL) return true;
    }
    return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size > 4096) return 0;
    posse_prior *json = read_json((const char *)data, size), *file = read_file((const char *)data, size);
    const posse_prior *prior = json != NULL ? json : file;
    if (prior != NULL) {
        char *text = json_of(prior), *yaml = yaml_of(prior);
        expect_same(prior, read_json(text, strlen(text)), "a written text is not read as it was");
        /* Fitted priors have no words, and any other text may need quotes of YAML. */
        if (!has_word(posse_prior_part(prior)))
            expect_same(prior, read_file(yaml, strlen(yaml)), "a written file is not read as it was");
        free(text), free(yaml);
    }
    if (json != NULL && file != NULL && !has_word(posse_prior_part(json))) {
        char *one = json_of(json), *other = json_of(file);
        expect(strcmp(one, other) == 0, "the readers differ");
        free(one), free(other);
    }
    posse_prior_free(json), posse_prior_free(file);
    return 0;
}
