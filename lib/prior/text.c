/* SPDX-License-Identifier: MIT */
/*
 * A prior as text: JSON in the words of experiment files, {"kind": "gaussian", "mean": [0, 1]}. The values have the
 * types of JSON, and the kinds' own declarations are checked when the prior is made. So nothing of them is repeated
 * here.
 */
#include <string.h>

#include "base/complain.h"
#include "data/decimal.h"
#include "data/json_reader.h"
#include "data/json_writer.h"
#include "model/space.h"
#include "prior/prior.h"

#define TEXT_BYTES_MAX (16u << 20)

double prior_rounded(double x) {
    char text[DECIMAL_TEXT];
    double back = x;
    decimal_read(decimal_write_rounded(x, 9, text), &back);
    return back;
}

/* ------------------------------------------------- writing ----------------------------------------------------- */

/* Memory for text, which may be too small: `length` counts all bytes, also those that do not fit. */
typedef struct page {
    char *text;
    size_t size, length;
} page;

static void text_put(void *context, const char *bytes, size_t length) {
    page *p = context;
    for (size_t i = 0; i < length; i++)
        if (p->length + i + 1 < p->size) p->text[p->length + i] = bytes[i];
    p->length += length;
}

static void text_put_list(json_writer *w, const double *list, size_t count) {
    json_writer_open(w, '[');
    for (size_t i = 0; i < count; i++) json_writer_number(w, list[i]);
    json_writer_close(w, ']');
}

static void text_put_table(json_writer *w, const posse_option *o, int arms) {
    size_t width = arms > 0 ? (size_t)arms : o->count;
    json_writer_open(w, '[');
    for (size_t i = 0; i + width <= o->count; i += width) text_put_list(w, o->list + i, width);
    json_writer_close(w, ']');
}

static void text_put_part(json_writer *w, const posse_part *belief, int arms);

static void text_put_components(json_writer *w, const posse_option *o, int arms) {
    json_writer_open(w, '[');
    for (size_t i = 0; i < o->count; i++) {
        json_writer_open(w, '{');
        json_writer_key(w, "weight");
        json_writer_number(w, o->list[i]);
        json_writer_key(w, "belief");
        text_put_part(w, &o->part[i], arms);
        json_writer_close(w, '}');
    }
    json_writer_close(w, ']');
}

static posse_type text_type_of(const posse_part *belief, const char *key) {
    const posse_param *p =
        posse_kind_param(POSSE_FAMILY_BELIEF, posse_kind_find(POSSE_FAMILY_BELIEF, belief->kind), key);
    return p != NULL ? p->type : POSSE_TYPE_REAL;
}

static void text_put_part(json_writer *w, const posse_part *belief, int arms) {
    json_writer_open(w, '{');
    json_writer_key(w, "kind");
    json_writer_text(w, belief->kind);
    for (int i = 0; i < part_count_options(belief); i++) {
        const posse_option *o = &belief->options[i];
        posse_type type = text_type_of(belief, o->key);
        json_writer_key(w, o->key);
        if (o->part != NULL)
            text_put_components(w, o, arms);
        else if (o->word != NULL)
            json_writer_text(w, o->word);
        else if (type == POSSE_TYPE_TABLE)
            text_put_table(w, o, arms);
        else if (o->list != NULL)
            text_put_list(w, o->list, o->count);
        else if (type == POSSE_TYPE_FLAG)
            json_writer_flag(w, o->number != 0.0);
        else
            json_writer_number(w, o->number);
    }
    json_writer_close(w, '}');
}

size_t posse_prior_text(const posse_prior *prior, char *text, size_t size) {
    page p = {.text = text, .size = text != NULL ? size : 0};
    json_writer w = {.put = text_put, .context = &p};
    if (prior == NULL) return 0;
    text_put_part(&w, &prior->part, prior->arms);
    text_put(&p, "\n", 1);
    if (p.size > 0) p.text[p.length < p.size ? p.length : p.size - 1] = '\0';
    return p.length;
}

/* ------------------------------------------------- reading ----------------------------------------------------- */

/* A text that is being read. The arena holds what the part points to, until the prior has copied it. */
typedef struct reading {
    json_reader json;
    arena memory;
    bool out_of_memory, wrong;
    size_t row; /* the numbers in a row of the first table; 0: there was none */
} reading;

/* Notes the first problem. Always returns false, for the caller to return. */
#define REFUSE(r, place, ...) ((r)->wrong = true, data_refuse(&(r)->json.problem, (r)->json.text, place, __VA_ARGS__))

static void *text_allocate(reading *r, size_t size) {
    void *memory = arena_allocate(&r->memory, size);
    r->out_of_memory = r->out_of_memory || memory == NULL;
    return memory;
}

/* The next token; false: the text is wrong. */
static bool text_next(reading *r, json_token *out) {
    *out = json_reader_next(&r->json);
    r->wrong = r->wrong || out->type == JSON_TOKEN_WRONG;
    return !r->wrong;
}

static const char *text_spell(reading *r, const json_token *token) {
    char *text = text_allocate(r, token->length + 1);
    if (text == NULL || json_reader_spell(token, text) == strlen(text)) return text;
    REFUSE(r, token->at, "a text cannot hold the character \\0");
    return NULL;
}

static bool text_read_number(reading *r, const json_token *token, double *out) {
    char shown[64], *digits = token->length < sizeof shown ? shown : text_allocate(r, token->length + 1);
    if (token->type != JSON_TOKEN_NUMBER) return REFUSE(r, token->at, "a number is needed here");
    if (digits == NULL) return false;
    memcpy(digits, token->at, token->length);
    digits[token->length] = '\0';
    if (decimal_read(digits, out) == DECIMAL_FINE) return true;
    return REFUSE(r, token->at, "%.40s is beyond the range of a number", digits);
}

/* The number of entries of the list that has just begun. The list is read to its end, and then again. */
static size_t text_count(json_reader ahead) {
    size_t count = 0;
    int depth = ahead.depth;
    for (json_token t = json_reader_next(&ahead); ahead.depth >= depth; t = json_reader_next(&ahead)) {
        bool begins = t.type == JSON_TOKEN_LIST || t.type == JSON_TOKEN_MAP;
        if (t.type == JSON_TOKEN_WRONG) break;
        bool ends = t.type == JSON_TOKEN_LIST_END || t.type == JSON_TOKEN_MAP_END;
        count += begins ? ahead.depth == depth + 1 : !ends && ahead.depth == depth;
    }
    return count;
}

/* Numbers up to the end of the list that has just begun. */
static bool text_read_numbers(reading *r, double *out, size_t count) {
    json_token token;
    for (size_t i = 0; text_next(r, &token) && token.type != JSON_TOKEN_LIST_END; i++) {
        double unused;
        if (!text_read_number(r, &token, i < count ? &out[i] : &unused)) return false;
    }
    return !r->wrong;
}

static bool text_read_list(reading *r, posse_option *o) {
    o->count = text_count(r->json);
    double *list = text_allocate(r, o->count * sizeof *list);
    o->list = list;
    return list != NULL && text_read_numbers(r, list, o->count);
}

/* Rows are counted before memory is allocated, so that one long row and many short ones do not make a huge table. */
static bool text_read_table(reading *r, posse_option *o) {
    json_reader begin = r->json;
    json_token row;
    size_t rows = text_count(begin), width = 0;
    for (size_t i = 0; i < rows; i++) {
        if (!text_next(r, &row)) return false;
        if (row.type != JSON_TOKEN_LIST) return REFUSE(r, row.at, "a row, [number, ..], is needed here");
        size_t here = text_count(r->json);
        if (i == 0) width = here;
        if (here != width) return REFUSE(r, row.at, "a row of %zu numbers, but the first has %zu", here, width);
        if (!text_read_numbers(r, NULL, 0)) return false;
    }
    double *table = text_allocate(r, rows * width * sizeof *table);
    if (table == NULL) return false;
    r->json = begin;
    for (size_t i = 0; i < rows && text_next(r, &row); i++)
        if (!text_read_numbers(r, table + i * width, width)) return false;
    if (r->row == 0) r->row = width;
    o->list = table;
    o->count = rows * width;
    return text_next(r, &row); /* the end of the table */
}

static bool text_read_part(reading *r, posse_part *out, int depth);

/* {"weight": .., "belief": ..}, in either order. */
static bool text_read_component(reading *r, double *weight, posse_part *belief, int depth) {
    json_token key, value;
    bool weighed = false, believed = false;
    const char *begin = r->json.at;
    while (text_next(r, &key) && key.type == JSON_TOKEN_KEY) {
        bool is_weight = key.length == 6 && memcmp(key.at, "weight", 6) == 0 && !weighed;
        bool is_belief = key.length == 6 && memcmp(key.at, "belief", 6) == 0 && !believed;
        if (!is_weight && !is_belief) return REFUSE(r, key.at - 1, "a component is {\"weight\": .., \"belief\": ..}");
        if (!text_next(r, &value)) return false;
        if (is_weight && !text_read_number(r, &value, weight)) return false;
        if (is_belief && value.type != JSON_TOKEN_MAP)
            return REFUSE(r, value.at, "a belief, {\"kind\": ..}, is needed");
        if (is_belief && !text_read_part(r, belief, depth + 1)) return false;
        weighed = weighed || is_weight;
        believed = believed || is_belief;
    }
    if (!r->wrong && !(weighed && believed)) return REFUSE(r, begin, "a component is {\"weight\": .., \"belief\": ..}");
    return !r->wrong;
}

static bool text_read_components(reading *r, posse_option *o, int depth) {
    json_token token;
    o->count = text_count(r->json);
    double *weights = text_allocate(r, o->count * sizeof *weights);
    posse_part *parts = text_allocate(r, o->count * sizeof *parts);
    if (weights == NULL || parts == NULL) return false;
    o->list = weights;
    o->part = parts;
    for (size_t i = 0; i < o->count; i++) {
        if (!text_next(r, &token)) return false;
        if (token.type != JSON_TOKEN_MAP)
            return REFUSE(r, token.at, "a component, {\"weight\": .., \"belief\": ..}, is needed here");
        if (!text_read_component(r, &weights[i], &parts[i], depth)) return false;
    }
    return text_next(r, &token); /* the end of the list */
}

static bool text_read_lists(reading *r, posse_option *o, const char *at, int depth) {
    json_reader ahead = r->json;
    json_token first = json_reader_next(&ahead);
    if (first.type == JSON_TOKEN_LIST_END) return REFUSE(r, at, "a list without entries");
    if (first.type == JSON_TOKEN_LIST) return text_read_table(r, o);
    return first.type == JSON_TOKEN_MAP ? text_read_components(r, o, depth) : text_read_list(r, o);
}

/* These words, by their addresses, stand for true and false until the kind is known, which may be the last key. */
static const char text_true[] = "true", text_false[] = "false";

static bool text_read_value(reading *r, const json_token *value, posse_option *o, int depth) {
    switch (value->type) {
    case JSON_TOKEN_TRUE:
    case JSON_TOKEN_FALSE:
        o->word = value->type == JSON_TOKEN_TRUE ? text_true : text_false;
        return true;
    case JSON_TOKEN_TEXT:
        return (o->word = text_spell(r, value)) != NULL;
    case JSON_TOKEN_LIST:
        return text_read_lists(r, o, value->at, depth);
    default:
        return text_read_number(r, value, &o->number);
    }
}

/* Options of the map that has just begun; {"noise": {"shape": ..}} is the option noise.shape. */
static bool text_read_options(reading *r, posse_part *out, int *count, const char *prefix, int depth) {
    json_token key, value;
    while (text_next(r, &key) && key.type == JSON_TOKEN_KEY) {
        size_t before = strlen(prefix);
        const char *own = text_spell(r, &key);
        char *name = own != NULL ? text_allocate(r, before + strlen(own) + 2) : NULL;
        if (name == NULL || !text_next(r, &value)) return false;
        memcpy(name, prefix, before);
        strcpy(name + before, own);
        if (strcmp(name, "kind") == 0) {
            if (value.type != JSON_TOKEN_TEXT) return REFUSE(r, value.at, "a kind of belief is needed here");
            if (out->kind != NULL) return REFUSE(r, key.at - 1, "the key \"kind\" is there twice");
            if ((out->kind = text_spell(r, &value)) == NULL) return false;
            continue;
        }
        if (value.type == JSON_TOKEN_MAP && before == 0) {
            strcat(name, ".");
            if (!text_read_options(r, out, count, name, depth)) return false;
            continue;
        }
        if (posse_part_option(out, name) != NULL)
            return REFUSE(r, key.at - 1, "the key \"%.80s\" is there twice", name);
        if (*count == POSSE_OPTIONS_MAX) return REFUSE(r, key.at - 1, "more than %d keys", POSSE_OPTIONS_MAX);
        posse_option *o = &out->options[(*count)++];
        o->key = name;
        if (!text_read_value(r, &value, o, depth)) return false;
    }
    return !r->wrong;
}

/* True and false become numbers, and stand only where the kind declares a flag. */
static bool text_set_flags(reading *r, posse_part *part_, const char *begin) {
    for (int i = 0; i < part_count_options(part_); i++) {
        posse_option *o = &part_->options[i];
        bool flag = o->word == text_true || o->word == text_false;
        if (flag != (text_type_of(part_, o->key) == POSSE_TYPE_FLAG))
            return REFUSE(r, begin, flag ? "%.80s: not true or false" : "%.80s: true or false is needed", o->key);
        if (!flag) continue;
        o->number = o->word == text_true;
        o->word = NULL;
    }
    return true;
}

static bool text_read_part(reading *r, posse_part *out, int depth) {
    int count = 0;
    const char *begin = r->json.at - 1;
    if (depth > PART_DEPTH_MAX) return REFUSE(r, begin, "beliefs inside beliefs, more than %d deep", PART_DEPTH_MAX);
    if (!text_read_options(r, out, &count, "", depth)) return false;
    if (out->kind == NULL) return REFUSE(r, begin, "a belief, {\"kind\": ..}, is needed here");
    return text_set_flags(r, out, begin);
}

static bool text_read_whole(reading *r, size_t length, posse_part *out) {
    json_token token;
    if (length > TEXT_BYTES_MAX) return REFUSE(r, r->json.text, "the text is larger than %u bytes", TEXT_BYTES_MAX);
    if (!text_next(r, &token)) return false;
    if (token.type != JSON_TOKEN_MAP) return REFUSE(r, token.at, "a belief, {\"kind\": ..}, is needed here");
    return text_read_part(r, out, 0) && text_next(r, &token);
}

posse_error posse_prior_read_text(const char *text, size_t length, const posse_host *host, posse_prior **out) {
    if (out == NULL) return POSSE_ERROR_ARGUMENT;
    *out = NULL;
    if (text == NULL) return POSSE_ERROR_ARGUMENT;
    const posse_host lent = host != NULL ? *host : (posse_host){0};
    reading r = {.json = json_reader_open(text, length), .memory = {.allocator = lent.allocator}};
    posse_part belief = {0};
    posse_error error = POSSE_ERROR_FIT;
    if (text_read_whole(&r, length, &belief))
        error = posse_prior_make(&belief, (int)(r.row < ARMS_MAX ? r.row : ARMS_MAX), &lent, out);
    else if (r.out_of_memory)
        error = POSSE_ERROR_MEMORY;
    else
        complain(&lent.log, NULL, NULL, "line %zu, column %zu: %s", r.json.problem.line, r.json.problem.column,
                 r.json.problem.text);
    arena_release(&r.memory);
    return error == POSSE_OK || error == POSSE_ERROR_MEMORY ? error : POSSE_ERROR_FIT;
}
