/* SPDX-License-Identifier: MIT */
/*
 * Trees as text: a tree that is written and read again is the same tree.
 */
#include "describe/flow.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>

#include "describe/document.h"
#include "describe/scalar.h"
#include "law.h"

/* What an unquoted scalar means; quoted ones are words. */
static plain_class meaning(const node *n) {
    return n->plain ? plain_class_of(n->text) : PLAIN_WORD;
}

static bool same_tree(const node *a, const node *b) {
    if (a->type != b->type || a->count != b->count || a->index != b->index || a->order != b->order) return false;
    if ((a->key == NULL) != (b->key == NULL) || (a->key != NULL && strcmp(a->key, b->key) != 0)) return false;
    if (a->type == NODE_SCALAR)
        return meaning(a) == meaning(b) && (meaning(a) == PLAIN_NOTHING || strcmp(a->text, b->text) == 0);
    const node *x = a->first, *y = b->first;
    for (; x != NULL && y != NULL; x = x->next, y = y->next)
        if (!same_tree(x, y)) return false;
    return x == NULL && y == NULL;
}

/* Writes the tree of a text and reads it again. Returns false if the text has no tree. */
static bool survives_writing(const char *name, const char *text, size_t length) {
    problems found;
    problems_open(&found, NULL);
    pool *memory = pool_create(NULL);
    const node *root = document_read(text, length, memory, &found);
    bool read = root != NULL && found.count == 0;
    if (read) {
        const char *written = flow_write(root, memory);
        const node *again = document_read(written, strlen(written), memory, &found);
        assert_that(again != NULL && found.count == 0, "%s: the written tree cannot be read:\n%s", name, written);
        assert_that(same_tree(root, again), "%s: another tree was written:\n%s", name, written);
        assert_string_equal(flow_write(again, memory), written);
    }
    pool_free(memory);
    problems_close(&found);
    return read;
}

static char *file_text(const char *path, size_t *length) {
    FILE *in = fopen(path, "rb");
    assert_non_null(in);
    char *text = calloc(1, 1 << 20);
    *length = fread(text, 1, 1 << 20, in);
    fclose(in);
    return text;
}

/* The texts are experiments, seeds of the fuzzer, and those wrong files that can be read as trees. */
LAW(a_tree_that_is_written_and_read_is_the_same) {
    static const char *const patterns[] = {"experiments/*.yaml", "experiments/*/*.yaml", "tests/fuzz/corpus/read/*",
                                           "tests/wrong/*.yaml", "tests/*.yaml"};
    int trees = 0;
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        char pattern[1000];
        glob_t files;
        snprintf(pattern, sizeof pattern, SOURCE_FOLDER "/%s", patterns[i]);
        if (glob(pattern, 0, NULL, &files) != 0) continue;
        for (size_t k = 0; k < files.gl_pathc; k++) {
            size_t length;
            char *text = file_text(files.gl_pathv[k], &length);
            trees += survives_writing(files.gl_pathv[k], text, length);
            free(text);
        }
        globfree(&files);
    }
    assert_that(trees >= 60, "only %d trees: is this law still looking?", trees);
}

LAW(texts_survive_writing_whatever_they_hold) {
    static const char *const texts[] = {
        "",     "a b",  " a",  "a ",      "true",    "No",      "1e3",      "- x",  "a: b", "#",  "a #b", "'",
        "\\\"", "\\\\", "\\n", "\\x7f",   "\\x01",   "\\t",     "{",        "]",    ",",    "&a", "*a",   "!t",
        "%",    "@",    "~",   "\\u2028", "\\u0085", "\\ufeff", "\xc3\xa9", "a, b", "|",    ">",  "?",    "<<"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char text[200];
        int length =
            snprintf(text, sizeof text, "{\"%s\": [\"%s\", {b: \"%s\"}], c: [~, 1, .5, TRUE, 0x10], d: , e: null}",
                     texts[i], texts[i], texts[i]);
        assert_that(survives_writing(texts[i], text, (size_t)length), "%s is not read", text);
    }
}
