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
    char bracket[TREE_DEPTH_MAX]; /* of each open list and map: the one that it begins with; 0: it has none */
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

static void document_open(builder *b, struct fy_event *event, node_type type, struct fy_token *start, char bracket) {
    if (tree_open(&b->tree, type, token_spot(start, spot_here(&b->tree))) == NULL) return;
    b->bracket[b->tree.depth - 1] = fy_event_get_node_style(event) == FYNS_FLOW ? bracket : '\0';
}

static void take_event(builder *b, struct fy_event *event) {
    tree *t = &b->tree;
    switch (event->type) {
    case FYET_DOCUMENT_START:
        if (t->root != NULL)
            tree_stop(t, at_token(t, event->document_start.document_start),
                      "a second document begins here; an experiment is one");
        break;
    case FYET_MAPPING_START:
        refuse_properties(t, event->mapping_start.anchor, event->mapping_start.tag);
        document_open(b, event, NODE_MAP, event->mapping_start.mapping_start, '{');
        break;
    case FYET_SEQUENCE_START:
        refuse_properties(t, event->sequence_start.anchor, event->sequence_start.tag);
        document_open(b, event, NODE_LIST, event->sequence_start.sequence_start, '[');
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

/* Plain words for messages of the parser, by a part of them. The first entry that fits counts. NULL: there is none. */
static const char *document_explain(const char *message) {
    static const char indented[] = "this line is indented by another number of spaces than those that it belongs to";
    static const struct {
        const char *part, *words;
    } list[] = {
        {"tab ", "a tab indents nothing; use spaces"},
        {"escape", "this escape does not exist: write \\\\ for a backslash, or use single quotes"},
        {"anchor detected", "a text that begins with & needs quotes"},
        {"alias detected", "a text that begins with * needs quotes"},
        {"tag ", "a text that begins with ! needs quotes"},
        {"trailing content", "there is text after the closing quote"},
        {"quoted scalar", "the quote is not closed, or its text is indented too little"},
        {"nested block mapping", "there is a second \": \" in the line; put the text into quotes"},
        {"multiline plain key", "\": \" is missing after this text, or the next line is indented too far"},
        {"could not find expected ':'", "\": \" is missing after this key"},
        {"invalid value after mapping", "\": \" is missing after this key"},
        {"did not find expected key", "a key is needed here, as in the lines above"},
        {"at the end of block sequence", "an entry of the list, \"- ..\", is needed here"},
        {"indentation in mapping", indented},
        {"indendation", indented},
        {"wrongly indented sequence item", indented},
        {"expected '-' indicator", indented},
        {"cannot start with", "a text that begins with this character needs quotes"},
        {"extra closing", "this bracket closes nothing"},
        {"mismatched flow", "this bracket is not of the same kind as the one that is open"},
        {"extra comma", "there is no value before this comma"},
        {"expected node content", "a value is missing here"},
    };
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++)
        if (strstr(message, list[i].part) != NULL) return list[i].words;
    return NULL;
}

/* What may be wrong instead of an open bracket, if a message is about that. NULL: it is about something else. */
static const char *document_bracket(const char *message) {
    if (strstr(message, "flow") == NULL) return NULL;
    return strstr(message, "indented") != NULL ? "this line is indented too little" : "a comma is missing";
}

/*
 * The first tab that indents this line or, if none does, the next one that has a text: the parser may report the text
 * before it. Line 0: there is none.
 */
static spot document_tab(const builder *b, int line) {
    const char *at = b->source, *end = b->source + b->length;
    for (int n = 1, texts = 0; at < end && texts < 2; n++) {
        const char *next = memchr(at, '\n', (size_t)(end - at)), *first = at;
        while (first < end && (*first == ' ' || *first == '\t')) first++;
        bool has_text = first < end && *first != '\r' && *first != '\n' && *first != '#';
        const char *tab = n >= line && has_text ? memchr(at, '\t', (size_t)(first - at)) : NULL;
        if (tab != NULL) return (spot){n, (int)(tab - at) + 1};
        texts += n >= line && has_text;
        at = next != NULL ? next + 1 : end;
    }
    return (spot){0, 0};
}

/* If a message without plain words is about an open bracket, that bracket is the mistake. */
static void report_syntax(builder *b, struct fy_diag *diag) {
    void *next = NULL;
    const struct fy_diag_error *error = fy_diag_errors_iterate(diag, &next);
    spot tab = error != NULL ? document_tab(b, error->line) : (spot){0, 0};
    const char *words = error != NULL ? document_explain(tab.line > 0 ? "tab " : error->msg) : NULL;
    const char *otherwise = error != NULL && words == NULL ? document_bracket(error->msg) : NULL;
    location where = {.at = error != NULL ? (spot){error->line, error->column} : (spot){1, 1}};
    if (tab.line > 0) where.at = tab;
    int top = b->tree.depth - 1;
    if (error == NULL)
        tree_stop(&b->tree, where, "not YAML");
    else if (otherwise != NULL && top >= 0 && b->bracket[top] != '\0')
        problem_at(b->tree.found, where, "not YAML: the \"%c\" of line %d is not closed, or %s", b->bracket[top],
                   b->tree.open[top]->at.line, otherwise);
    else
        problem_at(b->tree.found, where, "not YAML: %s", words != NULL ? words : error->msg);
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
        report_syntax(b, diag);
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
