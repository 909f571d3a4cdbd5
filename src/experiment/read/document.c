#include "experiment/read/document.h"

#include <libfyaml.h>
#include <string.h>

#include "experiment/read/scalar.h"

typedef struct builder {
    pool *memory;
    problems *found;
    const char *source;
    size_t length;
    node *root;
    node *open[DOCUMENT_DEPTH_MAX]; /* lists and maps that are being read, outermost first */
    node *last[DOCUMENT_DEPTH_MAX]; /* the latest entry of each */
    node *key[DOCUMENT_DEPTH_MAX];  /* the key that waits for its value */
    int depth;
    bool over; /* nothing more is to be read */
} builder;

/* ---------------------------------------------- before the parser ---------------------------------------------- */

/* The bytes of the UTF-8 character at text, 0 if it is none. Surrogates and overlong forms are none. */
static size_t character_length(const unsigned char *text, size_t left) {
    unsigned c = text[0];
    size_t length = c < 0x80                ? 1
                    : c >= 0xc2 && c < 0xe0 ? 2
                    : c >= 0xe0 && c < 0xf0 ? 3
                    : c >= 0xf0 && c < 0xf5 ? 4
                                            : 0;
    if (length == 0 || length > left) return 0;
    for (size_t i = 1; i < length; i++)
        if ((text[i] & 0xc0) != 0x80) return 0;
    if ((c == 0xe0 && text[1] < 0xa0) || (c == 0xed && text[1] > 0x9f)) return 0;
    if ((c == 0xf0 && text[1] < 0x90) || (c == 0xf4 && text[1] > 0x8f)) return 0;
    return length;
}

/* The parser would take UTF-16 and has opinions on stray bytes; here it is UTF-8 without control characters. */
static bool check_characters(const char *text, size_t length, problems *found) {
    spot at = {1, 1};
    for (size_t i = 0; i < length;) {
        unsigned char c = (unsigned char)text[i];
        size_t step = character_length((const unsigned char *)text + i, length - i);
        if (step == 0) {
            problem_at(found, at, "the byte 0x%02x is not UTF-8", c);
            return false;
        }
        if ((c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0x7f) {
            problem_at(found, at, "the control character 0x%02x has no place in a file", c);
            return false;
        }
        i += step;
        at = c == '\n' ? (spot){at.line + 1, 1} : (spot){at.line, at.column + 1};
    }
    return true;
}

/* ------------------------------------------------- the tree ---------------------------------------------------- */

static spot token_spot(struct fy_token *token, spot otherwise) {
    const struct fy_mark *mark = token != NULL ? fy_token_start_mark(token) : NULL;
    return mark != NULL ? (spot){mark->line + 1, mark->column + 1} : otherwise;
}

/* Where something without a token of its own (an empty value) is: at its key, or at the start of what is around it. */
static spot spot_here(const builder *b) {
    if (b->depth == 0) return (spot){1, 1};
    int top = b->depth - 1;
    return b->key[top] != NULL ? b->key[top]->at : b->open[top]->at;
}

static void stop(builder *b, spot at, const char *message) {
    problem_at(b->found, at, "%s", message);
    b->over = true;
}

static void append(builder *b, node *entry) {
    int top = b->depth - 1;
    node *parent = b->open[top];
    if (b->last[top] == NULL)
        parent->first = entry;
    else
        b->last[top]->next = entry;
    b->last[top] = entry;
    parent->count++;
}

static void append_keyed(builder *b, node *entry) {
    int top = b->depth - 1;
    const node *key = b->key[top], *earlier = node_find(b->open[top], key->text);
    b->key[top] = NULL;
    entry->key = key->text;
    entry->key_at = key->at;
    if (strcmp(key->text, "<<") == 0 && key->plain)
        problem_at(b->found, key->at, "merge keys are not supported; write the keys themselves");
    else if (earlier != NULL)
        problem_at(b->found, key->at, "the key \"%s\" is given twice; the first is in line %d", key->text,
                   earlier->key_at.line);
    else if (b->open[top]->count >= DOCUMENT_KEYS_MAX)
        stop(b, key->at, "too many keys in one map");
    else
        append(b, entry);
}

/* Puts a value, or a key, where it belongs. */
static void place_node(builder *b, node *n) {
    if (b->depth == 0)
        b->root = n;
    else if (b->open[b->depth - 1]->type == NODE_LIST)
        append(b, n);
    else if (b->key[b->depth - 1] != NULL)
        append_keyed(b, n);
    else if (n->type == NODE_SCALAR)
        b->key[b->depth - 1] = n;
    else
        stop(b, n->at, "a key must be a word");
}

static node *make_node(builder *b, node_type type, spot at) {
    node *n = pool_allocate(b->memory, sizeof *n);
    n->type = type;
    n->at = at;
    return n;
}

static void open_node(builder *b, node_type type, struct fy_token *token) {
    node *n = make_node(b, type, token_spot(token, spot_here(b)));
    place_node(b, n);
    if (b->over) return;
    if (b->depth == DOCUMENT_DEPTH_MAX) {
        stop(b, n->at, "lists and maps are nested too deeply");
        return;
    }
    b->open[b->depth] = n;
    b->last[b->depth] = NULL;
    b->key[b->depth] = NULL;
    b->depth++;
}

static void close_node(builder *b) {
    b->depth--;
    /* A map inside a list without braces, [a: 1], begins at its colon for the parser. */
    node *n = b->open[b->depth];
    if (n->type == NODE_MAP && n->first != NULL && n->first->key_at.line == n->at.line &&
        n->first->key_at.column < n->at.column)
        n->at = n->first->key_at;
}

/* A position inside the text of a scalar is one in the file only where the file has that very text. */
static spot text_spot(const builder *b, const node *n, const struct fy_mark *mark) {
    size_t length = strlen(n->text);
    bool verbatim = mark != NULL && mark->input_pos <= b->length && length <= b->length - mark->input_pos &&
                    memcmp(b->source + mark->input_pos, n->text, length) == 0 && strchr(n->text, '\n') == NULL;
    return verbatim ? (spot){mark->line + 1, mark->column + 1} : (spot){0, 0};
}

/*
 * Goes over the text of a token, piece by piece; copies it to `out` unless that is NULL. Returns its length. This is
 * fy_token_get_text without its leak: up to libfyaml 0.7 it forgets the list of pieces where there are many.
 */
static size_t spell(struct fy_token *token, char *out) {
    struct fy_token_iter *pieces = fy_token_iter_create(token);
    size_t length = 0;
    int error = 0;
    const struct fy_iter_chunk *piece = NULL;
    while (pieces != NULL && (piece = fy_token_iter_chunk_next(pieces, piece, &error)) != NULL) {
        if (out != NULL) memcpy(out + length, piece->str, piece->len);
        length += piece->len;
    }
    fy_token_iter_destroy(pieces);
    return length;
}

static void add_scalar(builder *b, struct fy_token *token) {
    node *n = make_node(b, NODE_SCALAR, token_spot(token, spot_here(b)));
    n->plain = true;
    n->text = "";
    if (token != NULL) {
        size_t length = spell(token, NULL);
        char *text = pool_allocate(b->memory, length + 1);
        spell(token, text);
        n->text = text;
        enum fy_scalar_style style = fy_token_scalar_style(token);
        n->plain = style == FYSS_PLAIN;
        if (style == FYSS_SINGLE_QUOTED || style == FYSS_DOUBLE_QUOTED)
            n->at.column--; /* the mark is behind the quote */
        if (memchr(text, '\0', length) != NULL) {
            problem_at(b->found, n->at, "a text cannot hold the character \\0");
            n->type = NODE_REFUSED;
        }
        n->text_at = text_spot(b, n, fy_token_start_mark(token));
    }
    if (n->type == NODE_REFUSED && b->depth > 0 && b->open[b->depth - 1]->type == NODE_MAP &&
        b->key[b->depth - 1] == NULL)
        b->over = true; /* such a key has no name to go on with */
    else
        place_node(b, n);
}

static void refuse_properties(builder *b, struct fy_token *anchor, struct fy_token *tag) {
    if (anchor != NULL)
        problem_at(b->found, token_spot(anchor, spot_here(b)), "anchors are not supported; write the value out");
    if (tag != NULL)
        problem_at(b->found, token_spot(tag, spot_here(b)), "tags are not supported; types follow from the key");
}

static void add_alias(builder *b, struct fy_token *token) {
    node *n = make_node(b, NODE_REFUSED, token_spot(token, spot_here(b)));
    problem_at(b->found, n->at, "aliases are not supported; write the value out");
    if (b->depth > 0 && b->open[b->depth - 1]->type == NODE_MAP && b->key[b->depth - 1] == NULL)
        b->over = true;
    else
        place_node(b, n);
}

static void take_event(builder *b, const struct fy_event *event) {
    switch (event->type) {
    case FYET_DOCUMENT_START:
        if (b->root != NULL)
            stop(b, token_spot(event->document_start.document_start, (spot){1, 1}),
                 "a second document begins here; an experiment is one");
        break;
    case FYET_MAPPING_START:
        refuse_properties(b, event->mapping_start.anchor, event->mapping_start.tag);
        open_node(b, NODE_MAP, event->mapping_start.mapping_start);
        break;
    case FYET_SEQUENCE_START:
        refuse_properties(b, event->sequence_start.anchor, event->sequence_start.tag);
        open_node(b, NODE_LIST, event->sequence_start.sequence_start);
        break;
    case FYET_MAPPING_END:
    case FYET_SEQUENCE_END:
        close_node(b);
        break;
    case FYET_SCALAR:
        refuse_properties(b, event->scalar.anchor, event->scalar.tag);
        add_scalar(b, event->scalar.value);
        break;
    case FYET_ALIAS:
        add_alias(b, event->alias.anchor);
        break;
    default:
        break;
    }
}

/* ------------------------------------------------- the parser -------------------------------------------------- */

static void report_syntax(builder *b, struct fy_diag *diag) {
    void *at = NULL;
    const struct fy_diag_error *error = fy_diag_errors_iterate(diag, &at);
    if (error != NULL)
        problem_at(b->found, (spot){error->line, error->column}, "not YAML: %s", error->msg);
    else
        problem_at(b->found, (spot){1, 1}, "not YAML");
}

static bool parse(builder *b, struct fy_parser *parser, struct fy_diag *diag) {
    if (fy_parser_set_string(parser, b->source, b->length) != 0) return false;
    struct fy_event *event;
    while (!b->over && (event = fy_parser_parse(parser)) != NULL) {
        take_event(b, event);
        fy_parser_event_free(parser, event);
    }
    if (!b->over && fy_parser_get_stream_error(parser)) {
        report_syntax(b, diag);
        b->over = true;
    }
    return true;
}

static void build(builder *b) {
    struct fy_diag_cfg words;
    fy_diag_cfg_default(&words);
    words.fp = NULL;
    struct fy_diag *diag = fy_diag_create(&words);
    if (diag != NULL) fy_diag_set_collect_errors(diag, true);
    struct fy_parse_cfg settings = {.search_path = "",
                                    .flags =
                                        FYPCF_QUIET | FYPCF_COLLECT_DIAG | FYPCF_JSON_NONE | FYPCF_DEFAULT_VERSION_1_2,
                                    .diag = diag};
    struct fy_parser *parser = diag != NULL ? fy_parser_create(&settings) : NULL;
    if (parser == NULL || !parse(b, parser, diag)) stop(b, (spot){1, 1}, "there is not enough memory to read it");
    if (parser != NULL) fy_parser_destroy(parser);
    if (diag != NULL) fy_diag_destroy(diag);
}

node *document_read(const char *text, size_t length, pool *memory, problems *found) {
    builder b = {.memory = memory, .found = found, .source = text, .length = length};
    if (length > DOCUMENT_BYTES_MAX) {
        problem_at(found, (spot){1, 1}, "the file is larger than %u bytes", DOCUMENT_BYTES_MAX);
        return NULL;
    }
    if (!check_characters(text, length, found)) return NULL;
    build(&b);
    if (b.root == NULL && !b.over) problem_at(found, (spot){1, 1}, "the file is empty");
    return b.over ? NULL : b.root;
}

const node *node_find(const node *map, const char *key) {
    if (map == NULL || map->type != NODE_MAP) return NULL;
    for (const node *n = map->first; n != NULL; n = n->next)
        if (strcmp(n->key, key) == 0) return n;
    return NULL;
}

const char *node_words(const node *n, char text[120]) {
    switch (n->type) {
    case NODE_LIST:
        return "a list";
    case NODE_MAP:
        return "a map";
    case NODE_REFUSED:
        return "something refused";
    case NODE_SCALAR:
        break;
    }
    const char *format = "the word \"%.80s\"";
    if (!n->plain)
        format = "the quoted text \"%.80s\"";
    else
        switch (plain_class_of(n->text)) {
        case PLAIN_NOTHING:
            return "nothing";
        case PLAIN_FLAG:
            format = "%.80s";
            break;
        case PLAIN_NUMBER:
            format = "the number %.80s";
            break;
        default:
            break;
        }
    snprintf(text, 120, format, n->text);
    return text;
}
