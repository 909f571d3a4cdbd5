/* SPDX-License-Identifier: MIT */
/*
 * The subset of YAML in which priors are written: a text in it is read as the same tree as by libfyaml, and a problem
 * is reported with its line and column.
 */
#include <stdio.h>
#include <string.h>

#include "data/outline.h"
#include "describe/document.h"
#include "helpers.h"

/* A tree in brackets: {kind: x, list: [1, 2]}. */
static void put_outline(const outline *n, char *out, size_t size) {
    size_t used = strlen(out);
    if (n->type == OUTLINE_SCALAR) {
        snprintf(out + used, size - used, "%s%s%s", n->quoted ? "\"" : "", n->word, n->quoted ? "\"" : "");
        return;
    }
    strcat(out, n->type == OUTLINE_LIST ? "[" : "{");
    for (const outline *e = n->first; e != NULL; e = e->next) {
        if (e->key != NULL) snprintf(out + strlen(out), size - strlen(out), "%s: ", e->key);
        put_outline(e, out, size);
        if (e->next != NULL) strcat(out, ", ");
    }
    strcat(out, n->type == OUTLINE_LIST ? "]" : "}");
}

static void put_node(const node *n, char *out, size_t size) {
    size_t used = strlen(out);
    if (n->type == NODE_SCALAR) {
        snprintf(out + used, size - used, "%s%s%s", n->plain ? "" : "\"", n->text, n->plain ? "" : "\"");
        return;
    }
    strcat(out, n->type == NODE_LIST ? "[" : "{");
    for (const node *e = n->first; e != NULL; e = e->next) {
        if (e->key != NULL) snprintf(out + strlen(out), size - strlen(out), "%s: ", e->key);
        put_node(e, out, size);
        if (e->next != NULL) strcat(out, ", ");
    }
    strcat(out, n->type == NODE_LIST ? "]" : "}");
}

/* The tree that our reader makes of a text, or "LINE:COLUMN: problem". */
static const char *ours(const char *text, char out[4096]) {
    arena memory = {0};
    data_problem wrong;
    outline *root;
    *out = '\0';
    if (outline_read(text, strlen(text), &memory, &wrong, &root) == POSSE_OK)
        put_outline(root, out, 4096);
    else
        snprintf(out, 4096, "%zu:%zu: %s", wrong.line, wrong.column, wrong.text);
    arena_release(&memory);
    return out;
}

static const char *theirs(const char *text, char out[4096]) {
    pool *memory = pool_create(NULL);
    problems found;
    problems_open(&found, NULL);
    *out = '\0';
    const node *root = document_read(text, strlen(text), memory, &found);
    if (root != NULL && found.count == 0) put_node(root, out, 4096);
    problems_close(&found);
    pool_free(memory);
    return out;
}

LAW(outlines_are_the_trees_of_yaml) {
    static const char *const texts[][2] = {
        {"kind: x", "{kind: x}"},
        {"# a comment\nkind: x # and one\n\na: [1, -2.5e3,]\n", "{kind: x, a: [1, -2.5e3]}"},
        {"a:\n  b: 1\n  c:\n  - 1\n  - [2, 3]\nd: 4\n", "{a: {b: 1, c: [1, [2, 3]]}, d: 4}"},
        {"a:\n- x: 1\n  y: 2\n- x: 3\n  y:\n    z: 4\n", "{a: [{x: 1, y: 2}, {x: 3, y: {z: 4}}]}"},
        {"a:\n  -\n    x: 1\n  - - 1\n    - 2\n", "{a: [{x: 1}, [1, 2]]}"},
        {"{\"kind\":\"x\", \"a\": [1,\n 2]}", "{kind: \"x\", a: [1, 2]}"},
        {"{\n  \"a\": {\n    \"b\": []\n  }\n}\n", "{a: {b: []}}"},
        {"a: 'x y'\r\nb: \"#1\"\r\n", "{a: \"x y\", b: \"#1\"}"},
        {"a: [\n  1, # one\n  2\n  ]\n", "{a: [1, 2]}"},
        {"word", "word"},
        {"- 1\n- 2", "[1, 2]"},
        {"a: -1\nb: -x\n", "{a: -1, b: -x}"},
    };
    char out[4096];
    for (int i = 0; i < LENGTH(texts); i++) {
        assert_string_equal(ours(texts[i][0], out), texts[i][1]);
        assert_string_equal(theirs(texts[i][0], out), texts[i][1]);
    }
}

LAW(wrong_outlines_are_told_where) {
    static const char *const texts[][2] = {
        {"", "1:1: the file is empty"},
        {"# nothing\n", "1:1: the file is empty"},
        {"a: 1\na: 2\n", "2:1: the key \"a\" is there twice"},
        {"a: 1\n b: 2\n", "2:2: indented otherwise than the lines before"},
        {"a:\nb: 2\n", "2:1: a value is missing; it would be indented"},
        {"a: [1, 2\n", "2:1: the file ends inside of brackets"},
        {"a: [1 2]", "1:7: a comma or ] is needed here"},
        {"a:\n  b: [1,\n2]", "3:1: inside of brackets a line must be indented"},
        {"a: &x 1", "1:4: a value is needed here: a number, a word, a text in quotes, [..] or {..}"},
        {"a: 1 2", "1:6: the line should end here"},
        {"a: b: c", "1:5: the line should end here"},
        {"a: \"x", "1:4: a quote that is not closed in its line"},
        {"a: \"\\n\"", "1:5: a backslash: texts in quotes have no escapes here"},
        {"a: 'it''s'", "1:8: a quote inside of a text in quotes"},
        {"\ta: 1", "1:1: a tab; indentation is made of spaces"},
        {"a: 1\n--- \nb: 2", "2:1: a second document, or the end of one; a file is one document"},
        {"a:1", "1:3: a space is needed behind the colon"},
        {"{a}", "1:3: a colon is needed behind the key"},
        {"- 1\nb: 2\n", "2:1: this does not belong to what is before it"},
        {"a: [[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]", "1:20: nested more than 16 deep"},
        {"a: \x01", "1:4: the control character 0x01 has no place in a file"},
        {"a: \xff", "1:4: this is not UTF-8"},
        {"a: x#y", "1:5: the line should end here"},
    };
    char out[4096];
    for (int i = 0; i < LENGTH(texts); i++) assert_string_equal(ours(texts[i][0], out), texts[i][1]);
}
