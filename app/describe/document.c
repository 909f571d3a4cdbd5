/* SPDX-License-Identifier: MIT */
#include "describe/document.h"

#include <errno.h>
#include <libfyaml.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "describe/tree.h"

#define PARSER_BYTES 65536 /* more than the parser needs to begin with a text */

typedef struct builder {
    tree tree;
    const char *source;
    size_t length;
} builder;

/* ---------------------------------------------- before the parser ---------------------------------------------- */

/*
 * The parser would also accept UTF-16, and treats stray bytes by rules of its own. Here a text must be UTF-8 without
 * control characters.
 */
static bool document_check_characters(const char *text, size_t length, problems *found) {
    spot at = {1, 1};
    for (size_t i = 0; i < length;) {
        unsigned char c = (unsigned char)text[i];
        size_t step = utf8_length((const unsigned char *)text + i, length - i);
        if (step == 0) {
            problem_at(found, (location){.at = at}, "the byte 0x%02x is not UTF-8", c);
            return false;
        }
        if ((c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0x7f) {
            problem_at(found, (location){.at = at}, "the control character 0x%02x has no place in a file", c);
            return false;
        }
        i += step;
        at = c == '\n' ? (spot){at.line + 1, 1} : (spot){at.line, at.column + 1};
    }
    return true;
}

/* ------------------------------------------------- the events -------------------------------------------------- */

/*
 * The position of something without a token of its own, such as an empty value: its key, or the start of the list or
 * map around it.
 */
static spot spot_here(const tree *t) {
    if (t->depth == 0) return (spot){1, 1};
    int top = t->depth - 1;
    return t->key[top] != NULL ? t->key[top]->at : t->open[top]->at;
}

static spot token_spot(struct fy_token *token, spot otherwise) {
    const struct fy_mark *mark = token != NULL ? fy_token_start_mark(token) : NULL;
    return mark != NULL ? (spot){mark->line + 1, mark->column + 1} : otherwise;
}

/* The location of a token, inside the list or map that is being read. */
static location at_token(const tree *t, struct fy_token *token) {
    return (location){.node = t->depth > 0 ? t->open[t->depth - 1] : NULL, .at = token_spot(token, spot_here(t))};
}

/*
 * Where the text of a scalar begins in the file. Line 0 if the file does not have exactly that text in one line, so
 * that positions inside the text are not positions in the file.
 */
static spot text_spot(const builder *b, const char *text, const struct fy_mark *mark) {
    size_t length = strlen(text);
    bool verbatim = mark != NULL && mark->input_pos <= b->length && length <= b->length - mark->input_pos &&
                    memcmp(b->source + mark->input_pos, text, length) == 0 && strchr(text, '\n') == NULL;
    return verbatim ? (spot){mark->line + 1, mark->column + 1} : (spot){0, 0};
}

/*
 * Goes over the text of a token, piece by piece; copies it to `out` unless that is NULL, and sets its length. False: no
 * memory. This replaces fy_token_get_text, which up to libfyaml 0.7 leaks the list of pieces if there are many.
 */
static bool document_spell(struct fy_token *token, char *out, size_t *length) {
    struct fy_token_iter *pieces = fy_token_iter_create(token);
    int error = 0;
    const struct fy_iter_chunk *piece = NULL;
    *length = 0;
    while (pieces != NULL && (piece = fy_token_iter_chunk_next(pieces, piece, &error)) != NULL) {
        if (out != NULL) memcpy(out + *length, piece->str, piece->len);
        *length += piece->len;
    }
    fy_token_iter_destroy(pieces);
    return pieces != NULL && error == 0;
}

/* The text of a token in memory of the pool. NULL: no memory. */
static const char *token_text(pool *memory, struct fy_token *token, size_t *length) {
    char *text = document_spell(token, NULL, length) ? pool_allocate(memory, *length + 1) : NULL;
    if (text != NULL && document_spell(token, text, length)) return text;
    pool_fail(memory);
    return NULL;
}

static void add_scalar(builder *b, struct fy_token *token) {
    spot at = token_spot(token, spot_here(&b->tree));
    if (token == NULL) {
        tree_add_scalar(&b->tree, "", 0, true, at);
        return;
    }
    size_t length;
    const char *text = token_text(b->tree.memory, token, &length);
    enum fy_scalar_style style = fy_token_scalar_style(token);
    if (style == FYSS_SINGLE_QUOTED || style == FYSS_DOUBLE_QUOTED) at.column--; /* the mark is behind the quote */
    node *n = tree_add_scalar(&b->tree, text, length, style == FYSS_PLAIN, at);
    if (n != NULL) n->text_at = text_spot(b, text, fy_token_start_mark(token));
}

static void refuse_properties(tree *t, struct fy_token *anchor, struct fy_token *tag) {
    if (anchor != NULL) problem_at(t->found, at_token(t, anchor), "anchors are not supported; write the value out");
    if (tag != NULL) problem_at(t->found, at_token(t, tag), "tags are not supported; types follow from the key");
}

static void take_event(builder *b, const struct fy_event *event) {
    tree *t = &b->tree;
    switch (event->type) {
    case FYET_DOCUMENT_START:
        if (t->root != NULL)
            tree_stop(t, at_token(t, event->document_start.document_start),
                      "a second document begins here; an experiment is one");
        break;
    case FYET_MAPPING_START:
        refuse_properties(t, event->mapping_start.anchor, event->mapping_start.tag);
        tree_open(t, NODE_MAP, token_spot(event->mapping_start.mapping_start, spot_here(t)));
        break;
    case FYET_SEQUENCE_START:
        refuse_properties(t, event->sequence_start.anchor, event->sequence_start.tag);
        tree_open(t, NODE_LIST, token_spot(event->sequence_start.sequence_start, spot_here(t)));
        break;
    case FYET_MAPPING_END:
    case FYET_SEQUENCE_END:
        tree_close(t);
        break;
    case FYET_SCALAR:
        refuse_properties(t, event->scalar.anchor, event->scalar.tag);
        add_scalar(b, event->scalar.value);
        break;
    case FYET_ALIAS:
        tree_refuse(t, token_spot(event->alias.anchor, spot_here(t)), "aliases are not supported; write the value out");
        break;
    default:
        break;
    }
}

/* ------------------------------------------------- the parser -------------------------------------------------- */

static void report_syntax(tree *t, struct fy_diag *diag) {
    void *at = NULL;
    const struct fy_diag_error *error = fy_diag_errors_iterate(diag, &at);
    if (error != NULL)
        problem_at(t->found, (location){.at = {error->line, error->column}}, "not YAML: %s", error->msg);
    else
        tree_stop(t, (location){.at = {1, 1}}, "not YAML");
}

/*
 * The parser does not report want of memory: it fails as it does over wrong syntax. errno distinguishes the two,
 * because malloc sets it and the parser does not touch it.
 */
static void document_parse(builder *b, struct fy_parser *parser, struct fy_diag *diag) {
    struct fy_event *event;
    while (!b->tree.over && (event = fy_parser_parse(parser)) != NULL) {
        take_event(b, event);
        fy_parser_event_free(parser, event);
    }
    if (b->tree.over || !fy_parser_get_stream_error(parser)) return;
    b->tree.over = true;
    if (errno == ENOMEM)
        pool_fail(b->tree.memory);
    else
        report_syntax(&b->tree, diag);
}

/* libfyaml 0.7 does not check some of its first allocations, so these must not be the ones that fail. */
static bool has_memory_to_begin(void) {
    void *memory = malloc(PARSER_BYTES);
    free(memory);
    return memory != NULL;
}

static void document_build(builder *b) {
    struct fy_diag_cfg words;
    fy_diag_cfg_default(&words);
    words.fp = NULL;
    errno = 0;
    struct fy_diag *diag = fy_diag_create(&words);
    if (diag != NULL) fy_diag_set_collect_errors(diag, true);
    struct fy_parse_cfg settings = {.search_path = "",
                                    .flags =
                                        FYPCF_QUIET | FYPCF_COLLECT_DIAG | FYPCF_JSON_NONE | FYPCF_DEFAULT_VERSION_1_2,
                                    .diag = diag};
    struct fy_parser *parser = diag != NULL ? fy_parser_create(&settings) : NULL;
    if (parser != NULL && has_memory_to_begin() && fy_parser_set_string(parser, b->source, b->length) == 0)
        document_parse(b, parser, diag);
    else
        pool_fail(b->tree.memory);
    if (parser != NULL) fy_parser_destroy(parser);
    if (diag != NULL) fy_diag_destroy(diag);
}

const node *document_read(const char *text, size_t length, pool *memory, problems *found) {
    builder b = {.tree = {.memory = memory, .found = found}, .source = text, .length = length};
    const location start = {.at = {1, 1}};
    if (length > DOCUMENT_BYTES_MAX) {
        problem_at(found, start, "the file is larger than %u bytes", DOCUMENT_BYTES_MAX);
        return NULL;
    }
    if (!document_check_characters(text, length, found)) return NULL;
    document_build(&b);
    if (b.tree.over || pool_failed(memory)) return NULL;
    if (b.tree.root == NULL) problem_at(found, start, "the file is empty");
    return b.tree.root;
}
