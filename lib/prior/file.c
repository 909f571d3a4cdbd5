/* SPDX-License-Identifier: MIT */
/*
 * Priors in files. A file becomes a tree (data/outline.h), and the tree becomes a part by the declarations of its kind.
 * Then the part is made once for the number of arms that its lists have, so that every mistake is reported with its
 * line and column.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/complain.h"
#include "base/suggestion.h"
#include "belief/belief.h"
#include "data/decimal.h"
#include "data/outline.h"
#include "prior/prior.h"

#define FILE_BYTES_MAX (16u << 20)
#define MESSAGE_MAX 700

typedef struct reading {
    const char *path, *text;
    const posse_logger *log;
    posse_prior *prior;
    const outline *root;
    size_t width; /* of the first list or row that has a number for each arm; 0: there was none */
} reading;

/* ------------------------------------------------- problems ---------------------------------------------------- */

static posse_error file_tell(const reading *r, const data_problem *problem) {
    complain(r->log, NULL, NULL, "%.200s:%zu:%zu: %s", r->path, problem->line, problem->column, problem->text);
    return POSSE_ERROR_FIT;
}

__attribute__((format(printf, 3, 4))) static posse_error file_refuse(const reading *r, const char *at,
                                                                     const char *format, ...) {
    data_problem problem;
    char message[sizeof problem.text];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    data_refuse(&problem, r->text, at, "%s", message);
    return file_tell(r, &problem);
}

/* -------------------------------------------------- values ----------------------------------------------------- */

static posse_error file_take_number(const reading *r, const outline *n, double *out) {
    if (n->type != OUTLINE_SCALAR) return file_refuse(r, n->at, "a number is needed here");
    decimal_status status = n->quoted ? DECIMAL_NONE : decimal_read(n->word, out);
    if (status == DECIMAL_FINE) return POSSE_OK;
    if (status == DECIMAL_BEYOND) return file_refuse(r, n->at, "\"%.40s\" is beyond the range of a number", n->word);
    return file_refuse(r, n->at, "\"%.40s\" is no number", n->word);
}

static posse_error file_take_numbers(const reading *r, const outline *list, double *out) {
    posse_error error = POSSE_OK;
    for (const outline *n = list->first; n != NULL && error == POSSE_OK; n = n->next)
        error = file_take_number(r, n, out++);
    return error;
}

static void note_width(reading *r, size_t width) {
    if (r->width == 0) r->width = width;
}

static posse_error file_take_list(reading *r, const outline *n, posse_option *o) {
    if (n->count == 0) return file_refuse(r, n->at, "a list without numbers");
    double *list = arena_allocate(&r->prior->memory, n->count * sizeof *list);
    if (list == NULL) return POSSE_ERROR_MEMORY;
    o->list = list;
    o->count = n->count;
    return file_take_numbers(r, n, list);
}

static posse_error file_take_table(reading *r, const outline *n, posse_option *o) {
    if (n->type != OUTLINE_LIST || n->count == 0)
        return file_refuse(r, n->at, "a list of rows of numbers is needed here");
    size_t width = n->first->count;
    for (const outline *row = n->first; row != NULL; row = row->next) {
        if (row->type != OUTLINE_LIST || row->count == 0)
            return file_refuse(r, row->at, "a row, [number, ..], is needed");
        if (row->count != width)
            return file_refuse(r, row->at, "a row of %zu numbers, but the first has %zu", row->count, width);
    }
    double *table = arena_allocate(&r->prior->memory, n->count * width * sizeof *table), *end = table;
    if (table == NULL) return POSSE_ERROR_MEMORY;
    o->list = table;
    o->count = n->count * width;
    note_width(r, width);
    posse_error error = POSSE_OK;
    for (const outline *row = n->first; row != NULL && error == POSSE_OK; row = row->next, end += width)
        error = file_take_numbers(r, row, end);
    return error;
}

static posse_error take_flag(const reading *r, const outline *n, double *out) {
    bool word = n->type == OUTLINE_SCALAR && !n->quoted;
    *out = word && strcmp(n->word, "true") == 0 ? 1.0 : 0.0;
    if (*out == 1.0 || (word && strcmp(n->word, "false") == 0)) return POSSE_OK;
    return file_refuse(r, n->at, "true or false is needed here");
}

/* A relative path begins in the folder of the file. */
static posse_error file_take_text(reading *r, const posse_param *p, const outline *n, const char **out) {
    if (n->type != OUTLINE_SCALAR) return file_refuse(r, n->at, "a text is needed here");
    const char *slash = strrchr(r->path, '/');
    size_t folder = slash != NULL ? (size_t)(slash - r->path) + 1 : 0, length = strlen(n->word);
    *out = n->word;
    if (!(p->flags & POSSE_PARAM_PATH) || *n->word == '/' || length == 0 || folder == 0) return POSSE_OK;
    char *whole = arena_allocate(&r->prior->memory, folder + length + 1);
    if (whole == NULL) return POSSE_ERROR_MEMORY;
    memcpy(whole, r->path, folder);
    memcpy(whole + folder, n->word, length);
    *out = whole;
    return POSSE_OK;
}

static posse_error take_part(reading *r, const outline *n, posse_part *out, int depth);

static posse_error file_take_component(reading *r, const outline *n, double *weight, posse_part *belief, int depth) {
    const outline *weight_node = outline_find(n, "weight"), *belief_node = outline_find(n, "belief");
    if (n->type != OUTLINE_MAP || weight_node == NULL || belief_node == NULL || n->count != 2)
        return file_refuse(r, n->at, "a component, {weight: .., belief: ..}, is needed here");
    posse_error error = file_take_number(r, weight_node, weight);
    return error == POSSE_OK ? take_part(r, belief_node, belief, depth + 1) : error;
}

static posse_error file_take_components(reading *r, const outline *n, posse_option *o, int depth) {
    if (n->type != OUTLINE_LIST || n->count == 0)
        return file_refuse(r, n->at, "a list of components, {weight: .., belief: ..}, is needed here");
    double *weights = arena_allocate(&r->prior->memory, n->count * sizeof *weights);
    posse_part *parts = arena_allocate(&r->prior->memory, n->count * sizeof *parts);
    if (weights == NULL || parts == NULL) return POSSE_ERROR_MEMORY;
    o->list = weights;
    o->part = parts;
    o->count = n->count;
    posse_error error = POSSE_OK;
    for (const outline *entry = n->first; entry != NULL && error == POSSE_OK; entry = entry->next)
        error = file_take_component(r, entry, weights++, parts++, depth);
    return error;
}

static posse_error file_take_value(reading *r, const posse_param *p, const outline *n, posse_option *o, int depth) {
    posse_error error = POSSE_OK;
    switch (p->type) {
    case POSSE_TYPE_TABLE:
        return file_take_table(r, n, o);
    case POSSE_TYPE_PARTS:
        return file_take_components(r, n, o, depth);
    case POSSE_TYPE_FLAG:
        return take_flag(r, n, &o->number);
    case POSSE_TYPE_WORD:
    case POSSE_TYPE_TEXT:
    case POSSE_TYPE_NAMES:
        return file_take_text(r, p, n, &o->word);
    case POSSE_TYPE_REALS:
    case POSSE_TYPE_RANGE:
        if (n->type != OUTLINE_LIST) return file_take_number(r, n, &o->number);
        error = file_take_list(r, n, o);
        /* Weights belong to rows, all other lists to arms. */
        if (error == POSSE_OK && p->type == POSSE_TYPE_REALS && strcmp(p->name, "weights") != 0)
            note_width(r, o->count);
        return error;
    default:
        return file_take_number(r, n, &o->number);
    }
}

/* -------------------------------------------------- parts ------------------------------------------------------ */

/* A part that is being read. */
typedef struct conversion {
    const posse_param *own, *common;
    posse_part *out;
    int count, depth;
} conversion;

static const posse_param *file_find_param(const posse_param *params, const char *name, size_t length) {
    for (; params != NULL && params->name != NULL; params++)
        if (strncmp(params->name, name, length) == 0 && params->name[length] == '\0') return params;
    return NULL;
}

static posse_error file_refuse_key(const reading *r, const conversion *c, const outline *n, const char *name) {
    suggestion near = {.word = name};
    const posse_param *lists[] = {c->own, c->common};
    for (int i = 0; i < 2; i++)
        for (const posse_param *p = lists[i]; p != NULL && p->name != NULL; p++) suggestion_consider(&near, p->name);
    return file_refuse(r, n->key_at, "belief \"%s\" has no key \"%.80s\"%s", c->out->kind, name,
                       suggestion_text(&near));
}

/* Options of a map; `noise: {shape: ..}` is the option noise.shape. */
static posse_error file_take_entries(reading *r, conversion *c, const outline *map, const char *prefix) {
    posse_error error = POSSE_OK;
    for (const outline *n = map->first; n != NULL && error == POSSE_OK; n = n->next) {
        char name[256];
        if (*prefix == '\0' && strcmp(n->key, "kind") == 0) continue;
        snprintf(name, sizeof name, "%.100s%.100s", prefix, n->key);
        const posse_param *p = file_find_param(c->own, name, strlen(name));
        if (p == NULL) p = file_find_param(c->common, name, strlen(name));
        bool nests = *prefix == '\0' && n->type == OUTLINE_MAP;
        if (nests) {
            strcat(name, ".");
            error = file_take_entries(r, c, n, name);
        } else if (p == NULL)
            error = file_refuse_key(r, c, n, name);
        else {
            posse_option *o = &c->out->options[c->count++];
            o->key = p->name;
            error = file_take_value(r, p, n, o, c->depth);
        }
    }
    return error;
}

static posse_error refuse_kind(const reading *r, const outline *kind) {
    suggestion near = {.word = kind->word};
    for (int i = 0; i < posse_kind_count(POSSE_FAMILY_BELIEF); i++)
        suggestion_consider(&near, posse_kind_name(POSSE_FAMILY_BELIEF, i));
    return file_refuse(r, kind->at, "there is no belief of kind \"%.80s\"%s", kind->word, suggestion_text(&near));
}

static posse_error take_part(reading *r, const outline *n, posse_part *out, int depth) {
    const outline *kind = outline_find(n, "kind");
    if (n->type != OUTLINE_MAP || kind == NULL) return file_refuse(r, n->at, "a belief, {kind: ..}, is needed here");
    if (kind->type != OUTLINE_SCALAR) return file_refuse(r, kind->at, "a kind of belief is needed here");
    int index = posse_kind_find(POSSE_FAMILY_BELIEF, kind->word);
    if (index < 0) return refuse_kind(r, kind);
    if (depth >= PART_DEPTH_MAX)
        return file_refuse(r, n->at, "beliefs inside beliefs, more than %d deep", PART_DEPTH_MAX);
    out->kind = posse_kind_name(POSSE_FAMILY_BELIEF, index);
    conversion c = {posse_kind_params(POSSE_FAMILY_BELIEF, index), posse_family_params(POSSE_FAMILY_BELIEF), out, 0,
                    depth};
    return file_take_entries(r, &c, n, "");
}

/* -------------------------------------------------- trial ------------------------------------------------------ */

/* The node of an option by its declared name. In a component the options are those of its belief. */
static const outline *find_option(const outline *map, const char *name) {
    if (outline_find(map, "belief") != NULL) map = outline_find(map, "belief");
    const outline *n = outline_find(map, name);
    const char *dot = strchr(name, '.');
    if (n != NULL || dot == NULL) return n;
    for (n = map != NULL && map->type == OUTLINE_MAP ? map->first : NULL; n != NULL; n = n->next)
        if (strlen(n->key) == (size_t)(dot - name) && strncmp(n->key, name, strlen(n->key)) == 0)
            return outline_find(n, dot + 1);
    return NULL;
}

/* The innermost node that a place leads to. */
static const outline *file_locate(const outline *root, const posse_place *place) {
    if (place == NULL) return root;
    const outline *outer = file_locate(root, place->outer), *n = find_option(outer, place->name);
    const outline *entry = n != NULL && place->index >= 0 ? outline_entry(n, (size_t)place->index) : NULL;
    return entry != NULL ? entry : n != NULL ? n : outer;
}

static void file_hear(void *context, const posse_place *place, const char *message) {
    const reading *r = context;
    const char *name = place != NULL ? place->name : NULL;
    if (name == NULL)
        file_refuse(r, file_locate(r->root, place)->at, "%s", message);
    else
        file_refuse(r, file_locate(r->root, place)->at, "%s: %s", name, message);
}

/* Checks the options of the belief and, if a list gives the number of arms, makes the belief once for them. */
static posse_error try_part(reading *r) {
    posse_logger log = {file_hear, r};
    posse_error error = posse_part_check(POSSE_FAMILY_BELIEF, &r->prior->part, &log);
    r->prior->arms = (int)(r->width < ARMS_MAX ? r->width : ARMS_MAX);
    if (error != POSSE_OK || r->width == 0) return error;
    arena memory = {.allocator = r->prior->memory.allocator};
    posse_space *space;
    space_def def = {.arms = r->prior->arms};
    error = space_make(&def, &log, &memory, &space);
    if (error == POSSE_OK) {
        part_context context = {.surroundings = {.space = space, .seed = 1}, .memory = &memory, .log = &log};
        posse_belief belief;
        error = belief_make_at(&context, &r->prior->part, &belief);
    }
    arena_release(&memory);
    return error;
}

/* ------------------------------------------------- the calls --------------------------------------------------- */

static posse_error file_read_tree(reading *r, size_t length) {
    data_problem problem;
    outline *root;
    posse_error error = outline_read(r->text, length, &r->prior->memory, &problem, &root);
    if (error == POSSE_ERROR_FIT) return file_tell(r, &problem);
    r->root = root;
    if (error == POSSE_OK) error = take_part(r, root, &r->prior->part, 0);
    if (error == POSSE_OK) error = try_part(r);
    return error == POSSE_OK || error == POSSE_ERROR_MEMORY ? error : POSSE_ERROR_FIT;
}

posse_error posse_prior_read_text(const char *path, const char *text, size_t length, const posse_host *host,
                                  posse_prior **out) {
    if (out == NULL) return POSSE_ERROR_ARGUMENT;
    *out = NULL;
    if (path == NULL || text == NULL) return POSSE_ERROR_ARGUMENT;
    const posse_host lent = host != NULL ? *host : (posse_host){0};
    reading r = {.path = path, .text = text, .log = &lent.log};
    posse_error error = prior_new(&lent, &r.prior);
    if (error != POSSE_OK) return error;
    error = length <= FILE_BYTES_MAX ? file_read_tree(&r, length)
                                     : file_refuse(&r, text, "the file is larger than %u bytes", FILE_BYTES_MAX);
    if (error == POSSE_OK)
        *out = r.prior;
    else
        posse_prior_free(r.prior);
    return error;
}

/* The bytes of a file; of a file that is too large, at least FILE_BYTES_MAX + 1 of them. */
static char *read_bytes(FILE *in, const posse_allocator *allocator, size_t *length) {
    char *text = NULL;
    *length = 0;
    for (size_t room = 1 << 16;; room *= 2) {
        char *larger = memory_grow(allocator, text, room);
        if (larger == NULL) break;
        text = larger;
        *length += fread(text + *length, 1, room - *length, in);
        if (*length < room || *length > FILE_BYTES_MAX) return text;
    }
    memory_release(allocator, text);
    return NULL;
}

posse_error posse_prior_read(const char *path, const posse_host *host, posse_prior **out) {
    if (out == NULL) return POSSE_ERROR_ARGUMENT;
    *out = NULL;
    if (path == NULL) return POSSE_ERROR_ARGUMENT;
    const posse_host lent = host != NULL ? *host : (posse_host){0};
    FILE *in = fopen(path, "rb");
    size_t length = 0;
    char *text = in != NULL ? read_bytes(in, &lent.allocator, &length) : NULL;
    bool failed = in == NULL || (text != NULL && ferror(in));
    posse_error error = POSSE_ERROR_MEMORY;
    if (failed) {
        complain(&lent.log, NULL, NULL, "%.200s: cannot be read: %s", path, strerror(errno));
        error = POSSE_ERROR_FIT;
    } else if (text != NULL)
        error = posse_prior_read_text(path, text, length, &lent, out);
    if (in != NULL) fclose(in);
    memory_release(&lent.allocator, text);
    return error;
}
