/* SPDX-License-Identifier: MIT */
#include "data/outline.h"

#include <string.h>

#include "base/utf8.h"

#define KEY_MAX 100

typedef struct reading {
    const char *text, *at, *end;
    arena *memory;
    char *room; /* a large piece of the memory, for nodes and words */
    size_t left, piece;
    data_problem *problem;
    bool out_of_memory;
    long margin; /* inside of brackets a line must begin behind this column; -1: anywhere */
} reading;

static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.+/-";

/* ------------------------------------------------- the text ---------------------------------------------------- */

/* The byte here; 0 after the last. */
static char outline_peek(const reading *r) {
    return r->at < r->end ? *r->at : '\0';
}

static bool is_plain(char c) {
    return c != '\0' && strchr(plain, c) != NULL;
}

static bool at_line_end(const reading *r) {
    return r->at == r->end || *r->at == '\n' || (*r->at == '\r' && r->at + 1 < r->end && r->at[1] == '\n');
}

/* How far a place is from the beginning of its line. */
static long outline_column_of(const reading *r, const char *at) {
    const char *line = at;
    while (line > r->text && line[-1] != '\n') line--;
    return at - line;
}

static bool outline_check_characters(reading *r) {
    for (const char *at = r->text; at < r->end;) {
        size_t step = utf8_length((const unsigned char *)at, (size_t)(r->end - at));
        unsigned char c = (unsigned char)*at;
        if (step == 0) return data_refuse(r->problem, r->text, at, "this is not UTF-8");
        if (c == '\t') return data_refuse(r->problem, r->text, at, "a tab; indentation is made of spaces");
        bool ends_line = c == '\n' || (c == '\r' && at + 1 < r->end && at[1] == '\n');
        if ((c < 0x20 && !ends_line) || c == 0x7f)
            return data_refuse(r->problem, r->text, at, "the control character 0x%02x has no place in a file", c);
        at += step;
    }
    return true;
}

static void skip_spaces(reading *r) {
    while (outline_peek(r) == ' ') r->at++;
}

/* Skips spaces, comments and ends of lines. */
static bool skip_blank(reading *r) {
    for (;;) {
        skip_spaces(r);
        if (outline_peek(r) == '#') {
            if (r->at > r->text && strchr(" \n", r->at[-1]) == NULL)
                return data_refuse(r->problem, r->text, r->at, "a comment begins behind a space");
            while (!at_line_end(r)) r->at++;
        }
        if (r->at == r->end) return true;
        if (!at_line_end(r)) break;
        r->at += *r->at == '\r' ? 2 : 1;
    }
    return true;
}

/* The same inside of brackets, where the margin must be kept. */
static bool skip_inside(reading *r) {
    const char *before = r->at;
    if (!skip_blank(r)) return false;
    if (r->at == r->end) return data_refuse(r->problem, r->text, r->at, "the file ends inside of brackets");
    bool same_line = memchr(before, '\n', (size_t)(r->at - before)) == NULL;
    if (same_line || outline_column_of(r, r->at) > r->margin) return true;
    return data_refuse(r->problem, r->text, r->at, "inside of brackets a line must be indented");
}

/* ------------------------------------------------- the tree ---------------------------------------------------- */

/*
 * An arena searches all of its blocks for room, and a file may have a million nodes. So nodes are taken from pieces,
 * each twice as large as the one before.
 */
static void *outline_allocate(reading *r, size_t size) {
    size = (size + sizeof(void *) - 1) / sizeof(void *) * sizeof(void *);
    if (size > r->left) {
        r->piece = r->piece > 0 ? 2 * r->piece : 4096;
        r->left = r->piece > size ? r->piece : size;
        r->room = arena_allocate(r->memory, r->left);
        if (r->room == NULL) r->left = 0;
    }
    char *room = r->room;
    if (room == NULL) return NULL;
    r->room += size;
    r->left -= size;
    return room;
}

static outline *new_node(reading *r, outline_type type) {
    outline *n = outline_allocate(r, sizeof *n);
    if (n == NULL) {
        r->out_of_memory = true;
        return NULL;
    }
    n->type = type;
    n->at = r->at;
    return n;
}

static void outline_append(outline *to, outline *entry) {
    if (to->first == NULL)
        to->first = entry;
    else
        to->last->next = entry;
    to->last = entry;
    to->count++;
}

static const char *keep_word(reading *r, const char *from, size_t length) {
    char *copy = outline_allocate(r, length + 1);
    if (copy == NULL)
        r->out_of_memory = true;
    else
        memcpy(copy, from, length);
    return copy;
}

/* ------------------------------------------------- scalars ----------------------------------------------------- */

static const char *outline_take_quoted(reading *r) {
    char quote = *r->at++;
    const char *begin = r->at;
    for (; !at_line_end(r) && *r->at != quote; r->at++)
        if (*r->at == '\\') {
            data_refuse(r->problem, r->text, r->at, "a backslash: texts in quotes have no escapes here");
            return NULL;
        }
    if (at_line_end(r)) {
        data_refuse(r->problem, r->text, begin - 1, "a quote that is not closed in its line");
        return NULL;
    }
    const char *word = keep_word(r, begin, (size_t)(r->at - begin));
    r->at++;
    if (outline_peek(r) == quote) {
        data_refuse(r->problem, r->text, r->at, "a quote inside of a text in quotes");
        return NULL;
    }
    return word;
}

static const char *outline_take_plain(reading *r) {
    const char *begin = r->at;
    while (is_plain(outline_peek(r))) r->at++;
    size_t length = (size_t)(r->at - begin);
    bool marker = length >= 3 && (memcmp(begin, "---", 3) == 0 || memcmp(begin, "...", 3) == 0);
    bool dash = length == 1 && *begin == '-';
    if (length > 0 && !marker && !dash) return keep_word(r, begin, length);
    if (marker)
        data_refuse(r->problem, r->text, begin, "a second document, or the end of one; a file is one document");
    else if (dash)
        data_refuse(r->problem, r->text, begin, "an entry of a list has no place here");
    else
        data_refuse(r->problem, r->text, begin,
                    "a value is needed here: a number, a word, a text in quotes, [..] or {..}");
    return NULL;
}

static bool is_quote(char c) {
    return c == '"' || c == '\'';
}

static outline *read_scalar(reading *r) {
    outline *n = new_node(r, OUTLINE_SCALAR);
    if (n == NULL) return NULL;
    n->quoted = is_quote(outline_peek(r));
    n->word = n->quoted ? outline_take_quoted(r) : outline_take_plain(r);
    return n->word != NULL ? n : NULL;
}

/* A key and its colon. In brackets a key in quotes may have the colon right before its value. */
static bool outline_take_key(reading *r, bool inside, const outline *map, const char **key, const char **at) {
    bool quoted = inside && is_quote(outline_peek(r));
    *at = r->at;
    *key = quoted ? outline_take_quoted(r) : outline_take_plain(r);
    if (*key == NULL) return false;
    if (strlen(*key) > KEY_MAX) return data_refuse(r->problem, r->text, *at, "a key of more than %d bytes", KEY_MAX);
    if (outline_find(map, *key) != NULL)
        return data_refuse(r->problem, r->text, *at, "the key \"%.80s\" is there twice", *key);
    if (outline_peek(r) != ':') return data_refuse(r->problem, r->text, r->at, "a colon is needed behind the key");
    r->at++;
    if (!quoted && outline_peek(r) != ' ' && !at_line_end(r))
        return data_refuse(r->problem, r->text, r->at, "a space is needed behind the colon");
    return true;
}

/* ----------------------------------------------- in brackets ---------------------------------------------------- */

static outline *read_inside(reading *r, int depth);

static bool outline_read_entry(reading *r, outline *of, int depth) {
    const char *key = NULL, *key_at = NULL;
    if (of->type == OUTLINE_MAP && !(outline_take_key(r, true, of, &key, &key_at) && skip_inside(r))) return false;
    outline *entry = read_inside(r, depth);
    if (entry == NULL) return false;
    entry->key = key;
    entry->key_at = key_at;
    outline_append(of, entry);
    return skip_inside(r);
}

static outline *read_brackets(reading *r, int depth) {
    outline *n = new_node(r, *r->at == '[' ? OUTLINE_LIST : OUTLINE_MAP);
    char close = *r->at == '[' ? ']' : '}';
    if (n == NULL) return NULL;
    r->at++;
    if (!skip_inside(r)) return NULL;
    while (*r->at != close) {
        if (!outline_read_entry(r, n, depth + 1)) return NULL;
        if (*r->at == close) break;
        if (*r->at != ',') {
            data_refuse(r->problem, r->text, r->at, "a comma or %c is needed here", close);
            return NULL;
        }
        r->at++;
        if (!skip_inside(r)) return NULL;
    }
    r->at++;
    return n;
}

static bool is_bracket(char c) {
    return c == '[' || c == '{';
}

static bool refuse_depth(reading *r) {
    return data_refuse(r->problem, r->text, r->at, "nested more than %d deep", OUTLINE_DEPTH_MAX);
}

static outline *read_inside(reading *r, int depth) {
    if (depth > OUTLINE_DEPTH_MAX) {
        refuse_depth(r);
        return NULL;
    }
    return is_bracket(outline_peek(r)) ? read_brackets(r, depth) : read_scalar(r);
}

/* ---------------------------------------------- by indentation -------------------------------------------------- */

static outline *read_block(reading *r, int depth);

/* Reads the value in the line of a key or dash, which ends with the line. */
static outline *read_in_line(reading *r, long column, int depth) {
    long margin = r->margin;
    r->margin = column;
    outline *n = read_inside(r, depth);
    r->margin = margin;
    if (n == NULL) return NULL;
    skip_spaces(r);
    bool comment = outline_peek(r) == '#' && r->at[-1] == ' ';
    if (at_line_end(r) || comment) return n;
    data_refuse(r->problem, r->text, r->at, "the line should end here");
    return NULL;
}

static bool is_dash(const reading *r) {
    if (outline_peek(r) != '-') return false;
    return r->at + 1 == r->end || strchr(" \r\n", r->at[1]) != NULL;
}

/* Whether a key, a word and a colon, begins here. */
static bool is_key(const reading *r) {
    const char *at = r->at;
    while (at < r->end && is_plain(*at)) at++;
    return at > r->at && at < r->end && *at == ':' && !is_dash(r);
}

/* The value of a key or of a dash that begins at that column. */
static outline *read_value(reading *r, long column, bool of_dash, int depth) {
    skip_spaces(r);
    if (!at_line_end(r) && outline_peek(r) != '#')
        return of_dash && (is_key(r) || is_dash(r)) ? read_block(r, depth) : read_in_line(r, column, depth);
    if (!skip_blank(r)) return NULL;
    long here = outline_column_of(r, r->at);
    bool belongs = here > column || (here == column && !of_dash && is_dash(r));
    if (r->at < r->end && belongs) return read_block(r, depth);
    data_refuse(r->problem, r->text, r->at, "a value is missing; it would be indented");
    return NULL;
}

static outline *read_item(reading *r, const outline *of, long column, int depth) {
    const char *key = NULL, *key_at = NULL;
    if (of->type == OUTLINE_LIST)
        r->at++;
    else if (!outline_take_key(r, false, of, &key, &key_at))
        return NULL;
    outline *entry = read_value(r, column, of->type == OUTLINE_LIST, depth + 1);
    if (entry == NULL) return NULL;
    entry->key = key;
    entry->key_at = key_at;
    return entry;
}

/* A list of dashes, or a map of keys, that all begin in one column. */
static outline *read_items(reading *r, int depth) {
    bool list = is_dash(r);
    outline *n = new_node(r, list ? OUTLINE_LIST : OUTLINE_MAP);
    long column = outline_column_of(r, r->at);
    while (n != NULL) {
        outline *entry = read_item(r, n, column, depth);
        if (entry == NULL) return NULL;
        outline_append(n, entry);
        if (!skip_blank(r)) return NULL;
        long here = outline_column_of(r, r->at);
        if (r->at == r->end || here < column) break;
        if (here > column) {
            data_refuse(r->problem, r->text, r->at, "indented otherwise than the lines before");
            return NULL;
        }
        if (is_dash(r) != list) break;
    }
    return n;
}

static outline *read_block(reading *r, int depth) {
    if (depth > OUTLINE_DEPTH_MAX) {
        refuse_depth(r);
        return NULL;
    }
    if (is_dash(r) || is_key(r)) return read_items(r, depth);
    long column = outline_column_of(r, r->at);
    return read_in_line(r, depth == 0 ? -1 : column - 1, depth);
}

posse_error outline_read(const char *text, size_t length, arena *memory, data_problem *problem, outline **out) {
    reading r = {.text = text, .at = text, .end = text + length, .memory = memory, .problem = problem, .margin = -1};
    *out = NULL;
    if (!outline_check_characters(&r) || !skip_blank(&r)) return POSSE_ERROR_FIT;
    if (r.at == r.end) {
        data_refuse(problem, text, text, "the file is empty");
        return POSSE_ERROR_FIT;
    }
    outline *root = read_block(&r, 0);
    bool ended = root != NULL && skip_blank(&r);
    if (r.out_of_memory) return POSSE_ERROR_MEMORY;
    if (!ended) return POSSE_ERROR_FIT;
    if (r.at < r.end) {
        data_refuse(problem, text, r.at, "this does not belong to what is before it");
        return POSSE_ERROR_FIT;
    }
    *out = root;
    return POSSE_OK;
}

outline *outline_find(const outline *of, const char *key) {
    outline *n = of != NULL && of->type == OUTLINE_MAP ? of->first : NULL;
    while (n != NULL && strcmp(n->key, key) != 0) n = n->next;
    return n;
}

outline *outline_entry(const outline *of, size_t place) {
    outline *n = of != NULL && of->type == OUTLINE_LIST ? of->first : NULL;
    while (n != NULL && place-- > 0) n = n->next;
    return n;
}
