/* SPDX-License-Identifier: MIT */
/*
 * Contexts: an application's description of a round is checked and becomes a posse_round, or is refused.
 */
#include <math.h>
#include <string.h>

#include "model/row.h"
#include "object/object.h"

int posse_feature_count(const posse *p) {
    return p != NULL ? p->space->features : 0;
}

int posse_nonzeros(const posse *p) {
    return p != NULL ? p->space->nonzeros : 0;
}

int posse_known_features(const posse *p) {
    return p != NULL ? p->space->known : 0;
}

int posse_shared_feature_count(const posse *p) {
    return p != NULL ? p->space->shared_features : 0;
}

/* Writes to the log what is wrong with a context, or with its number or arm at an index. */
#define REFUSE(p, name, index, ...)                                                                                    \
    (complain(&(p)->host.log, &(posse_place){&(posse_place){NULL, "context", -1}, name, index}, NULL, __VA_ARGS__),    \
     POSSE_ERROR_CONTEXT)

posse_error context_missing(const posse *p) {
    if (p->map != NULL)
        complain(&p->host.log, NULL, "context", "is missing; rounds have features by name, but it may be empty");
    else
        complain(&p->host.log, NULL, "context", "is missing; rounds have %d features", p->space->features);
    return POSSE_ERROR_CONTEXT;
}

posse_error context_reserve(const posse_space *space, arena *memory, double **out) {
    bool own = space->features > space->shared_features, both = own && space->shared_features > 0;
    *out = NULL;
    if (!both && !space_is_sparse(space)) return POSSE_OK;
    size_t rows = own ? (size_t)space->arms : 1;
    *out = arena_allocate(memory, rows * (size_t)space_row_numbers(space) * sizeof **out);
    return *out != NULL ? POSSE_OK : POSSE_ERROR_MEMORY;
}

static posse_error check_arm(const posse *p, bool past, const int *arms, int k) {
    if (arms[k] < 0 || arms[k] >= p->space->arms)
        return REFUSE(p, "arms", k, "there is no arm %d, only 0 to %d", arms[k], p->space->arms - 1);
    if (!past && !space_has(p->space, arms[k])) return REFUSE(p, "arms", k, "arm %d is retired", arms[k]);
    if (k > 0 && arms[k] == arms[k - 1]) return REFUSE(p, "arms", k, "arm %d is there twice", arms[k]);
    if (k > 0 && arms[k] < arms[k - 1])
        return REFUSE(p, "arms", k, "arm %d comes after arm %d; the numbers must rise", arms[k], arms[k - 1]);
    return POSSE_OK;
}

posse_error context_read_arms(const posse *p, bool past, const posse_context *c, posse_round *out) {
    const posse_space *space = p->space;
    bool all = c->count == 0 && c->arms == NULL;
    if (c->count < 0 || (c->count == 0 && !all))
        return REFUSE(p, "count", -1, "%d arms; a round has at least one arm", c->count);
    if (c->count > space->arms)
        return REFUSE(p, "count", -1, "%d arms, and there are only %d in all", c->count, space->arms);
    out->count = all ? space->active_count : c->count;
    out->arms = all && space->active != NULL ? space->active : c->arms != NULL ? c->arms : space->every;
    posse_error error = POSSE_OK;
    for (int k = 0; k < out->count && error == POSSE_OK && !all; k++) error = check_arm(p, past, out->arms, k);
    return error;
}

/* Whether all numbers are valid features. The loop has no early exit, so that the compiler can vectorise it. */
static bool all_fit(const double *numbers, size_t count) {
    int wrong = 0;
    for (size_t i = 0; i < count; i++) wrong |= !(fabs(numbers[i]) <= FEATURE_MAX);
    return !wrong;
}

static posse_error refuse_value(const posse *p, const char *name, size_t i, double value) {
    return REFUSE(p, name, (int)i, "%g is no feature; they must be finite and at most %g%s", value, FEATURE_MAX,
                  p->map != NULL ? " (of names, it is the sum of the features and products in this slot)" : "");
}

static posse_error check_numbers(const posse *p, const char *name, const double *numbers, size_t count) {
    if (count == 0 && numbers != NULL) return REFUSE(p, name, -1, "given, but rounds of this posse have none");
    if (count > 0 && numbers == NULL) return REFUSE(p, name, -1, "is missing; there must be %zu numbers", count);
    if (all_fit(numbers, count)) return POSSE_OK;
    size_t i = 0;
    while (fabs(numbers[i]) <= FEATURE_MAX) i++;
    return refuse_value(p, name, i, numbers[i]);
}

static posse_error check_pair(const posse *p, const char *name, const posse_sparse *x, int i, int features) {
    int index = x->indices[i];
    if (index < 0 || index >= features)
        return REFUSE(p, name, i, "there is no feature %d; they count from 0 to %d", index, features - 1);
    if (i > 0 && index <= x->indices[i - 1])
        return REFUSE(p, name, i, "feature %d comes after feature %d; the indices must rise", index, x->indices[i - 1]);
    return fabs(x->values[i]) <= FEATURE_MAX ? POSSE_OK : refuse_value(p, name, (size_t)i, x->values[i]);
}

static posse_error context_check_sparse(const posse *p, const char *name, const posse_sparse *x, int features) {
    if (features == 0) return REFUSE(p, name, -1, "given, but rounds of this posse have none");
    if (x->count < 0) return REFUSE(p, name, -1, "%d pairs", x->count);
    if (x->count > 0 && (x->indices == NULL || x->values == NULL))
        return REFUSE(p, name, -1, "its indices or values are missing");
    posse_error error = POSSE_OK;
    for (int i = 0; i < x->count && error == POSSE_OK; i++) error = check_pair(p, name, x, i, features);
    return error;
}

/* Checks the shared features, or those of `count` arms: in full or, if `sparse` is given, as pairs. */
static posse_error check_features(const posse *p, const char *name, const double *full, const posse_sparse *sparse,
                                  int features, int count) {
    if (sparse == NULL) return check_numbers(p, name, full, (size_t)features * (size_t)count);
    if (full != NULL) return REFUSE(p, name, -1, "given in full, and as pairs too");
    posse_error error = POSSE_OK;
    for (int k = 0; k < count && error == POSSE_OK; k++) error = context_check_sparse(p, name, &sparse[k], features);
    return error;
}

/* ---------------------------------------------- features in full ------------------------------------------------ */

/* Features in full or, if `sparse` is not NULL, as pairs. */
typedef struct given {
    const double *full;
    const posse_sparse *sparse;
    int features;
} given;

static given given_points(const posse *p, const posse_context *c, int k) {
    int own = p->space->features - p->space->shared_features;
    return (given){c->points != NULL ? c->points + (size_t)k * (size_t)own : NULL,
                   c->sparse_points != NULL ? &c->sparse_points[k] : NULL, own};
}

static given given_shared(const posse *p, const posse_context *c) {
    return (given){c->shared, c->sparse_shared, p->space->shared_features};
}

static void write_full(given g, double *out) {
    if (g.sparse == NULL) {
        if (g.features > 0) memcpy(out, g.full, (size_t)g.features * sizeof *out);
        return;
    }
    memset(out, 0, (size_t)g.features * sizeof *out);
    for (int i = 0; i < g.sparse->count; i++) out[g.sparse->indices[i]] = g.sparse->values[i];
}

/* Room for the features of a round, which most posses without both kinds of features never need. */
static posse_error reserve_full(posse *p) {
    if (p->features != NULL) return POSSE_OK;
    size_t rows = p->space->features > p->space->shared_features ? (size_t)p->space->arms : 1;
    p->features = arena_allocate(&p->space_memory, rows * (size_t)p->space->features * sizeof *p->features);
    return p->features != NULL ? POSSE_OK : POSSE_ERROR_MEMORY;
}

/* Writes the features of each arm: its own, followed by the shared ones. */
static void context_join(const posse *p, const posse_context *c, posse_round *out) {
    size_t own = (size_t)(p->space->features - p->space->shared_features), width = (size_t)p->space->features;
    for (int k = 0; k < (own > 0 ? out->count : 1); k++) {
        double *row_ = p->features + (size_t)k * width;
        if (own > 0) write_full(given_points(p, c, k), row_);
        write_full(given_shared(p, c), row_ + own);
    }
}

static posse_error read_full(posse *p, const posse_context *c, posse_round *out) {
    const posse_space *space = p->space;
    int own = space->features - space->shared_features;
    bool joins = (own > 0 && space->shared_features > 0) || c->sparse_shared != NULL || c->sparse_points != NULL;
    out->width = space->features;
    out->stride = own > 0 ? (size_t)out->width : 0;
    out->features = own == 0 ? c->shared : c->points;
    if (!joins) return POSSE_OK;
    posse_error error = reserve_full(p);
    if (error != POSSE_OK) return error;
    context_join(p, c, out);
    out->features = p->features;
    return POSSE_OK;
}

/* ------------------------------------------------- sparse rows -------------------------------------------------- */

/* How many features are not 0, and the i-th of those that are listed: all of them, if they are in full. */
static int given_listed(given g) {
    return g.sparse != NULL ? g.sparse->count : g.full != NULL ? g.features : 0;
}

static double given_value(given g, int i) {
    return g.sparse != NULL ? g.sparse->values[i] : g.full[i];
}

static int given_index(given g, int i) {
    return g.sparse != NULL ? g.sparse->indices[i] : i;
}

static int given_nonzeros(given g) {
    int count = 0;
    for (int i = 0; i < given_listed(g); i++) count += given_value(g, i) != 0.0;
    return count;
}

/* Gives slots to the features that have none yet. offset: of their indices. */
static posse_error context_meet(posse *p, given g, int offset) {
    posse_error error = POSSE_OK;
    for (int i = 0; i < given_listed(g) && error == POSSE_OK; i++)
        if (given_value(g, i) != 0.0 && dictionary_find(p->dictionary, given_index(g, i) + offset) < 0)
            error = dictionary_add(p->dictionary, given_index(g, i) + offset, &p->host.allocator);
    return error;
}

/* Makes room for the features that the dictionary has, or forgets those that have come since `known`. */
static posse_error context_make_room(posse *p, int known, posse_error error) {
    if (error == POSSE_OK && p->dictionary->count > p->space->slots) error = object_add_slots(p, p->dictionary->count);
    if (error == POSSE_OK)
        p->space->known = p->dictionary->count;
    else
        dictionary_forget(p->dictionary, known);
    return error;
}

/* Adds pairs to a row. */
static void context_write_pairs(const posse *p, given g, int offset, double *row_) {
    bool finds = space_has_dictionary(p->space);
    double *pair = row_ + 1 + 2 * (size_t)row_[0];
    for (int i = 0; i < given_listed(g); i++) {
        double value = given_value(g, i);
        int index = given_index(g, i) + offset;
        if (value == 0.0) continue;
        pair[0] = finds ? dictionary_find(p->dictionary, index) : index;
        pair[1] = value;
        pair += 2;
        row_[0] += 1.0;
    }
}

static posse_error check_nonzeros(const posse *p, const char *name, int arm, int count) {
    if (count <= p->space->nonzeros) return POSSE_OK;
    return REFUSE(p, name, arm, "%d features are not 0, and this posse has room for %d (nonzeros)", count,
                  p->space->nonzeros);
}

/* Whether rows have room for the features that are not 0. */
static posse_error check_rows(const posse *p, const posse_context *c, int arms) {
    int own = p->space->features - p->space->shared_features, of_all = given_nonzeros(given_shared(p, c));
    posse_error error = check_nonzeros(p, "shared", -1, of_all);
    for (int k = 0; k < arms && own > 0 && error == POSSE_OK; k++)
        error = check_nonzeros(p, "points", k, of_all + given_nonzeros(given_points(p, c, k)));
    return error;
}

/* Checks all features of a round with this many arms. */
static posse_error check_all_features(const posse *p, const posse_context *c, int arms) {
    int shared = p->space->shared_features, own = p->space->features - shared;
    posse_error error = check_features(p, "shared", c->shared, c->sparse_shared, shared, 1);
    if (error == POSSE_OK) error = check_features(p, "points", c->points, c->sparse_points, own, arms);
    return error == POSSE_OK && space_is_sparse(p->space) ? check_rows(p, c, arms) : error;
}

/* The round must have its arms. An arm's own features come first, and the indices of the shared ones follow theirs. */
static posse_error context_read_rows(posse *p, const posse_context *c, posse_round *out) {
    int own = p->space->features - p->space->shared_features, known = p->space->known;
    int rows = own > 0 ? out->count : 1;
    posse_error error = POSSE_OK;
    if (space_has_dictionary(p->space)) {
        for (int k = 0; k < rows && own > 0 && error == POSSE_OK; k++)
            error = context_meet(p, given_points(p, c, k), 0);
        if (error == POSSE_OK) error = context_meet(p, given_shared(p, c), own);
        bool every = out->arms == p->space->every, active = out->arms == p->space->active;
        error = context_make_room(p, known, error);
        if (error != POSSE_OK) return error;
        out->arms = every    ? p->space->every
                    : active ? p->space->active
                             : out->arms; /* of the space that there is now */
    }
    out->width = space_row_numbers(p->space);
    out->stride = own > 0 ? (size_t)out->width : 0;
    out->features = p->features;
    for (int k = 0; k < rows; k++) {
        double *row_ = p->features + (size_t)k * (size_t)out->width;
        row_[0] = 0.0;
        if (own > 0) context_write_pairs(p, given_points(p, c, k), 0, row_);
        context_write_pairs(p, given_shared(p, c), own, row_);
    }
    return POSSE_OK;
}

/* A row of an environment, as a list that has been checked. */
static posse_error meet_row(posse *p, const double *features) {
    row x = row_of_sparse(features);
    posse_error error = POSSE_OK;
    for (int i = 0; i < x.count && error == POSSE_OK; i++)
        if (row_value(x, i) != 0.0 && dictionary_find(p->dictionary, row_slot(x, i)) < 0)
            error = dictionary_add(p->dictionary, row_slot(x, i), &p->host.allocator);
    return error;
}

static void translate_row(const posse *p, const double *features, double *out) {
    row x = row_of_sparse(features);
    int count = 0;
    for (int i = 0; i < x.count; i++) {
        if (row_value(x, i) == 0.0) continue;
        out[1 + 2 * count] =
            space_has_dictionary(p->space) ? dictionary_find(p->dictionary, row_slot(x, i)) : row_slot(x, i);
        out[2 + 2 * count++] = row_value(x, i);
    }
    out[0] = count;
}

posse_error context_of_environment(posse *p, const posse_round *round, posse_round *room, const posse_round **out) {
    *out = round;
    if (round == NULL || !space_is_sparse(p->space)) return POSSE_OK;
    int rows = round->stride > 0 ? round->count : 1, known = p->space->known;
    posse_error error = POSSE_OK;
    if (space_has_dictionary(p->space)) {
        for (int k = 0; k < rows && error == POSSE_OK; k++) error = meet_row(p, round_features(round, k));
        error = context_make_room(p, known, error);
        if (error != POSSE_OK) return error;
    }
    for (int k = 0; k < rows; k++)
        translate_row(p, round_features(round, k), p->features + (size_t)k * (size_t)round->width);
    *room = *round;
    room->features = p->features;
    *out = room;
    return POSSE_OK;
}

/* Where features get slots as they come, a new one is known only to the dictionary and the space. */
void context_forget(const posse *p, int known) {
    if (!space_has_dictionary(p->space)) return;
    dictionary_forget(p->dictionary, known);
    p->space->known = known;
}

void context_copy_features(const posse_space *space, double *to, const double *features) {
    size_t numbers = (size_t)space_row_numbers(space), used = numbers;
    if (space_is_sparse(space)) used = 1 + 2 * (size_t)features[0];
    memmove(to, features, used * sizeof *to);
    if (used < numbers) memset(to + used, 0, (numbers - used) * sizeof *to);
}

/* ---------------------------------------------- features by name ------------------------------------------------ */

/* The same context in numbers, as pairs or in full (feature_terms_read), for a round with these arms. */
static posse_error context_name(const posse *p, const posse_context *c, const posse_round *round,
                                const feature_target *to, posse_context *out) {
    if (p->map == NULL) return REFUSE(p, "named", -1, "given, but features of this posse have no names");
    if (c->shared != NULL || c->points != NULL || c->sparse_shared != NULL || c->sparse_points != NULL)
        return REFUSE(p, "named", -1, "given by name, and in numbers too");
    feature_source source = {p->map, object_feature_slots(p), &p->host.allocator, &p->host.log};
    *out = (posse_context){.count = c->count, .arms = c->arms};
    posse_named named = *c->named;
    posse_error error = feature_arms_name(p, round, &named);
    return error == POSSE_OK ? feature_terms_read(&source, &named, round->count, to, out) : error;
}

/*
 * past: some arms may be retired by now. A posse that is only looked at may make room for features, which changes no
 * decision (context_forget).
 */
static posse_error read_context(const posse *p, bool past, const posse_context *c, posse_round *out) {
    const posse_space *space = p->space;
    posse *reading = (posse *)(uintptr_t)p;
    if (!space_has_contexts(space)) {
        complain(&p->host.log, NULL, "context", "given, but rounds of this posse have no features");
        return POSSE_ERROR_CONTEXT;
    }
    posse_context numbers;
    posse_error error = context_read_arms(p, past, c, out);
    if (error == POSSE_OK && c->named != NULL)
        error = context_name(p, c, out, space_is_sparse(space) ? NULL : &(feature_target){0}, &numbers);
    if (c->named != NULL) c = &numbers;
    if (error == POSSE_OK) error = check_all_features(p, c, out->count);
    if (error != POSSE_OK) return error;
    return space_is_sparse(space) ? context_read_rows(reading, c, out) : read_full(reading, c, out);
}

static posse_error context_to_numbers(const posse *p, const posse_context *named, const feature_target *to,
                                      posse_context *out) {
    posse_round round;
    posse_error error = context_read_arms(p, false, named, &round);
    if (error == POSSE_OK) error = context_name(p, named, &round, to, out);
    return error == POSSE_OK ? check_all_features(p, out, round.count) : error;
}

posse_error posse_named_numbers(const posse *p, const posse_context *named, posse_context *out) {
    if (p == NULL || named == NULL || named->named == NULL || out == NULL) return POSSE_ERROR_ARGUMENT;
    return context_to_numbers(p, named, NULL, out);
}

posse_error posse_named_write(const posse *p, const posse_context *named, double *shared, double *points) {
    if (p == NULL || named == NULL || named->named == NULL || space_is_sparse(p->space)) return POSSE_ERROR_ARGUMENT;
    bool lacks_shared = shared == NULL && p->space->shared_features > 0;
    if (lacks_shared || (points == NULL && p->space->features > p->space->shared_features)) return POSSE_ERROR_ARGUMENT;
    posse_context numbers;
    return context_to_numbers(p, named, &(feature_target){shared, points}, &numbers);
}

posse_error context_to_round(const posse *p, const posse_context *c, posse_round *out) {
    return read_context(p, false, c, out);
}

posse_error context_past_play(const posse *p, const posse_action *action, posse_round *room, const posse_round **out,
                              const double **features) {
    *out = NULL;
    if (action->context == NULL) return context_none(p);
    posse_error error = read_context(p, true, action->context, room);
    if (error != POSSE_OK) return error;
    int place_ = round_place(room, action->arm);
    if (place_ < 0) return REFUSE(p, "arms", -1, "arm %d is not among them", action->arm);
    *features = round_features(room, place_);
    *out = room;
    return POSSE_OK;
}
