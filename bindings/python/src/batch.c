/* SPDX-License-Identifier: MIT */
#include "python/src/batch.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "posse_inside.h"
#include "python/src/argument.h"
#include "python/src/array.h"
#include "python/src/context.h"
#include "python/src/crowd.h"
#include "python/src/errors.h"
#include "python/src/round.h"

/* ---------------------------------------------------- rounds ----------------------------------------------------- */

/* Contexts of many rounds: those that posse.batches.rounds returns, or one for all of them. */
typedef struct batch_rounds {
    size_t count;
    given_context one; /* of all rounds, unless there is a list */
    PyObject *list;    /* a posse.batches.Rounds or NamedRounds, or NULL */
    bool named;        /* it has features by name */
    crowd crowd;       /* then */
    int rows;          /* of points in a round; 0: one, of the arm that was played; -1: there are no points */
    Py_buffer points, shared, order;
    given_pairs sparse_points, sparse_shared;
    int *arms; /* available in every round; NULL: all */
    int arm_count;
    size_t own, common; /* how many features each arm has, and how many all arms share */
} batch_rounds;

/* How many fields a posse.batches.NamedRounds has. */
#define NAMED_ROUNDS 3

/* An array in a tuple, or nothing if there is None. False with an exception set. */
static bool batch_borrow(PyObject *tuple, Py_ssize_t place, Py_buffer *out) {
    PyObject *array = PyTuple_GetItem(tuple, place);
    return array == Py_None || (array != NULL && PyObject_GetBuffer(array, out, PyBUF_C_CONTIGUOUS) == 0);
}

static void batch_release(Py_buffer *b) {
    if (b->obj != NULL) PyBuffer_Release(b);
}

static bool batch_take_pairs(PyObject *tuple, Py_ssize_t place, given_pairs *out) {
    PyObject *rows = PyTuple_GetItem(tuple, place);
    return rows == Py_None || (rows != NULL && context_copy_pairs(out, rows));
}

/* Numbers beyond the C type are no arms either, and the library refuses -1. */
static int batch_arm(long long arm) {
    return arm >= 0 && arm <= INT_MAX ? (int)arm : -1;
}

static bool batch_take_arms(batch_rounds *r) {
    Py_buffer listed = {0};
    if (!batch_borrow(r->list, 6, &listed) || !batch_borrow(r->list, 7, &r->order)) return false;
    if (listed.obj == NULL) return true;
    const long long *numbers = listed.buf;
    r->arm_count = (int)(listed.len / (Py_ssize_t)sizeof *numbers);
    r->arms = malloc(((size_t)r->arm_count + 1) * sizeof *r->arms);
    for (int k = 0; r->arms != NULL && k < r->arm_count; k++) r->arms[k] = batch_arm(numbers[k]);
    batch_release(&listed);
    return r->arms != NULL || PyErr_NoMemory() != NULL;
}

static bool batch_take_list(batch_rounds *r) {
    r->count = PyLong_AsSize_t(PyTuple_GetItem(r->list, 0));
    r->rows = (int)PyLong_AsLong(PyTuple_GetItem(r->list, 1));
    return !PyErr_Occurred() && batch_borrow(r->list, 2, &r->points) && batch_borrow(r->list, 3, &r->shared) &&
           batch_take_pairs(r->list, 4, &r->sparse_points) && batch_take_pairs(r->list, 5, &r->sparse_shared) &&
           batch_take_arms(r);
}

/* To be closed in any case, like all of batch_open_*. made: a Rounds, which is taken over; NULL with an exception. */
static bool batch_open_list(batch_rounds *r, const application *a, PyObject *made) {
    int shared = posse_shared_feature_count(a->posse);
    r->list = made;
    r->common = (size_t)shared;
    r->own = (size_t)(posse_feature_count(a->posse) - shared);
    if (made == NULL) return false;
    r->named = PyTuple_Size(made) == NAMED_ROUNDS;
    if (!r->named) return batch_take_list(r);
    bool taken = crowd_open(&r->crowd, made);
    r->count = r->crowd.count;
    return taken;
}

static void batch_close(batch_rounds *r) {
    context_close(&r->one);
    crowd_close(&r->crowd);
    batch_release(&r->points);
    batch_release(&r->shared);
    batch_release(&r->order);
    context_free_pairs(&r->sparse_points);
    context_free_pairs(&r->sparse_shared);
    free(r->arms);
    Py_XDECREF(r->list);
}

/* The context of round i, in `room`; NULL: there is none. arm: the one that was played in it, if it has one row. */
static const posse_context *batch_context(const batch_rounds *r, size_t i, const int *arm, posse_context *room) {
    if (r->list == NULL) return r->one.given ? &r->one.c : NULL;
    if (r->named) {
        *room = crowd_context(&r->crowd, i);
        return room;
    }
    size_t rows = r->rows > 0 ? (size_t)r->rows : 1, first = i * rows;
    *room = (posse_context){.count = r->arms != NULL ? r->arm_count : r->rows > 0 ? r->rows : 0, .arms = r->arms};
    if (r->rows == 0) {
        room->count = 1;
        room->arms = arm;
    }
    if (r->points.obj != NULL) room->points = (const double *)r->points.buf + first * r->own;
    if (r->shared.obj != NULL) room->shared = (const double *)r->shared.buf + i * r->common;
    if (r->sparse_points.rows != NULL) room->sparse_points = r->sparse_points.rows + first;
    if (r->sparse_shared.rows != NULL) room->sparse_shared = r->sparse_shared.rows + i;
    return room;
}

/* --------------------------------------------------- failures ---------------------------------------------------- */

/* Raises that features by name of round i do not fit. The place is the library's: a feature, or an arm of the round. */
static void batch_refuse_names(const batch_rounds *r, const application *a, size_t i) {
    char path[sizeof a->place + 300];
    const crowd_arms *arms = r->crowd.arms[i];
    const char *dot = strchr(a->place, '.');
    int used = snprintf(path, sizeof path, "contexts[%zu]", i);
    if (a->index >= 0 && a->index < arms->count) {
        const char *name = posse_arm_name(a->posse, arms->arms[a->index]);
        used += name != NULL ? snprintf(path + used, sizeof path - (size_t)used, ".arms.%.255s", name)
                             : snprintf(path + used, sizeof path - (size_t)used, ".arms.%d", arms->arms[a->index]);
    }
    if (dot != NULL) snprintf(path + used, sizeof path - (size_t)used, "%s", dot);
    errors_raise_context(path, "%s", a->told);
}

/* Raises that round i of the list has a context that does not fit. The place is the library's. */
static void batch_refuse_context(const batch_rounds *r, const application *a, size_t i) {
    char path[sizeof a->place + 80];
    const char *dot = strchr(a->place, '.');
    int index = a->index;
    bool is_point = dot != NULL && strcmp(dot, ".points") == 0 && index >= 0;
    bool is_arm = dot != NULL && strcmp(dot, ".arms") == 0 && index >= 0;
    int row = is_point && r->sparse_points.rows == NULL ? index / (int)r->own : index;
    if (r->order.obj != NULL && (is_arm || is_point)) row = (int)((const long long *)r->order.buf)[row];
    int used = snprintf(path, sizeof path, "contexts[%zu]%s", i, dot != NULL ? dot : "");
    if (index >= 0) used += snprintf(path + used, sizeof path - (size_t)used, "[%d]", row);
    if (is_point && r->sparse_points.rows == NULL)
        snprintf(path + used, sizeof path - (size_t)used, "[%d]", index % (int)r->own);
    errors_raise_context(path, "%s", a->told);
}

/* Raises an error of entry i, before anything happened. */
static void batch_refuse(application *a, const batch_rounds *r, size_t i, posse_error error) {
    char text[sizeof a->told + 60];
    if (error == POSSE_ERROR_CONTEXT && r != NULL && r->list != NULL) {
        (r->named ? batch_refuse_names : batch_refuse_context)(r, a, i);
        return;
    }
    if (error == POSSE_ERROR_CONTEXT && r != NULL) {
        context_made_well(&r->one, a, error);
        return;
    }
    snprintf(text, sizeof text, "entry %zu: %s", i, a->told[0] != '\0' ? a->told : posse_error_text(error));
    errors_raise_told(error, text);
}

/* Adds to the exception that is set how much of the batch was done before it. */
static void batch_note(size_t done, size_t count, const char *what) {
    PyObject *type, *value, *trace, *noted = NULL;
    PyErr_Fetch(&type, &value, &trace);
    PyErr_NormalizeException(&type, &value, &trace);
    PyObject *note = PyUnicode_FromFormat("%zu of %zu %s before this, and they are kept", done, count, what);
    if (note != NULL && value != NULL) noted = PyObject_CallMethod(value, "add_note", "O", note);
    PyErr_Clear();
    Py_XDECREF(noted);
    Py_XDECREF(note);
    PyErr_Restore(type, value, trace);
}

/* ---------------------------------------------------- playing ---------------------------------------------------- */

/* A batch that is being played: an entry at a time, of which the first `done` are done. */
typedef struct batch batch;
typedef posse_error (*batch_step)(batch *b, size_t i);
typedef posse_error (*batch_steps)(batch *b, size_t *at, size_t end); /* several, of which it counts those done */

struct batch {
    application *a;
    batch_rounds *rounds;
    size_t count, done;
    const char *what; /* happened to an entry: "decisions were made" */
    batch_step check, play;
    batch_steps play_several; /* NULL: entries are played one by one */

    const uint64_t *ids;   /* of decisions that learn */
    const long long *arms; /* that were played; NULL: there are none */
    const double *points;  /* of the ball that were played; NULL: there are none */
    const double *rewards;
    uint64_t *made_ids; /* arrays of decisions that are made */
    long long *made_arms, *made_learners, *made_drawn, *made_modes;
    double *made_probabilities, *made_propensities, *made_points;
    size_t point_numbers;
};

/* After this many entries, signals such as that of Ctrl-C are looked at. */
#define STRETCH 4096

/*
 * Other threads may run if no code of Python is called. Sparse features and names may enlarge what other threads look
 * at without entering, so these keep the lock of Python.
 */
static bool batch_may_release(const batch *b) {
    bool named = b->rounds != NULL && b->rounds->named;
    return b->a->cast == NULL && posse_nonzeros(b->a->posse) == 0 && !named;
}

/* Takes the steps from *at to `end`, and stops at the one that fails. */
static posse_error batch_walk(batch *b, batch_step step, size_t *at, size_t end) {
    PyThreadState *state = batch_may_release(b) ? PyEval_SaveThread() : NULL;
    bool together = step == b->play && b->play_several != NULL && b->a->cast == NULL;
    posse_error error = together ? b->play_several(b, at, end) : POSSE_OK;
    for (; *at < end && !together; (*at)++) {
        error = step(b, *at);
        if (error != POSSE_OK || (b->a->cast != NULL && cast_failed(b->a->cast))) break;
    }
    if (state != NULL) PyEval_RestoreThread(state);
    return error;
}

static bool batch_check(batch *b) {
    size_t at = 0;
    if (!application_made_well(b->a, posse_trial_begin(b->a->posse), NULL)) return false;
    posse_error error = batch_walk(b, b->check, &at, b->count);
    posse_trial_end(b->a->posse, false);
    if (error != POSSE_OK) batch_refuse(b->a, b->rounds, at, error);
    return error == POSSE_OK;
}

/* Plays all entries, which are checked. False with an exception set, which has a note on how much was done. */
static bool batch_play(batch *b) {
    bool ok = true;
    while (ok && b->done < b->count) {
        size_t left = b->count - b->done;
        posse_error error = batch_walk(b, b->play, &b->done, b->done + (left < STRETCH ? left : STRETCH));
        ok = application_made_well(b->a, error, NULL) && PyErr_CheckSignals() == 0;
    }
    if (!ok) batch_note(b->done, b->count, b->what);
    return ok;
}

/* Checks all entries, and plays them. Features by name are read once for both. */
static bool batch_run(batch *b) {
    const batch_rounds *r = b->rounds;
    bool named = r != NULL && r->named;
    posse *p = b->a->posse;
    if (named && !application_made_well(
                     b->a, posse_read_ahead(p, r->crowd.words->features, vocabulary_count(r->crowd.words)), NULL))
        return false;
    bool ok = batch_check(b) && batch_play(b);
    if (named) posse_read_ahead(p, NULL, 0);
    return ok;
}

/* ---------------------------------------------------- deciding --------------------------------------------------- */

static posse_error batch_check_decide(batch *b, size_t i) {
    posse_context room;
    return posse_check_decide(b->a->posse, batch_context(b->rounds, i, NULL, &room));
}

static void batch_write(batch *b, size_t i, const posse_decision *d) {
    b->made_ids[i] = d->id;
    b->made_arms[i] = d->arm;
    b->made_learners[i] = d->learner;
    b->made_drawn[i] = d->probe ? 1 : d->floor ? 2 : 0;
    b->made_probabilities[i] = d->probability;
    b->made_propensities[i] = d->propensity;
    b->made_modes[i] = d->mode;
}

static posse_error batch_decide_one(batch *b, size_t i) {
    posse_context room;
    posse_decision d;
    posse_error error = posse_decide(b->a->posse, batch_context(b->rounds, i, NULL, &room), &d);
    if (error != POSSE_OK) return error;
    batch_write(b, i, &d);
    if (d.point != NULL && b->point_numbers > 0)
        memcpy(b->made_points + i * b->point_numbers, d.point, b->point_numbers * sizeof(double));
    return POSSE_OK;
}

/* Decisions that are made in one call of the library. */
#define TOGETHER 256

/* Decides in `count` rounds, at most TOGETHER. contexts: theirs; NULL: they have no features. */
static posse_error batch_decide_together(batch *b, size_t *at, const posse_context *contexts, size_t count) {
    posse_decision decisions[TOGETHER];
    double *points = b->made_points != NULL ? b->made_points + *at * b->point_numbers : NULL;
    size_t made;
    posse_error error = posse_decide_many(b->a->posse, contexts, count, decisions, points, &made);
    for (size_t k = 0; k < made; k++) batch_write(b, *at + k, &decisions[k]);
    *at += made;
    return error;
}

static posse_error batch_decide_several(batch *b, size_t *at, size_t end) {
    posse_context contexts[TOGETHER];
    posse_error error = POSSE_OK;
    while (*at < end && error == POSSE_OK) {
        size_t count = end - *at < TOGETHER ? end - *at : TOGETHER;
        const posse_context *given = NULL;
        for (size_t k = 0; k < count; k++) {
            given = batch_context(b->rounds, *at + k, NULL, &contexts[k]);
            if (given != NULL && given != &contexts[k]) contexts[k] = *given;
        }
        error = batch_decide_together(b, at, given != NULL ? contexts : NULL, count);
    }
    return error;
}

/* The most numbers that rounds by name are turned into at a time. */
#define NUMBERS_MAX 262144

/* Decides in `count` rounds by name, with room for `each` numbers of them. The map learns from those decided. */
static posse_error batch_decide_stretch(batch *b, size_t *at, size_t count, size_t each, double *room) {
    posse_context contexts[TOGETHER];
    const crowd *from = &b->rounds->crowd;
    posse *p = b->a->posse;
    size_t first = *at;
    posse_error error = posse_trial_begin(p);
    for (size_t k = 0; k < count && error == POSSE_OK; k++)
        error = crowd_numbers(from, p, first + k, room + k * each, &contexts[k]);
    if (error == POSSE_OK) error = batch_decide_together(b, at, contexts, count);
    posse_trial_end(p, error == POSSE_OK);
    if (error != POSSE_OK) crowd_teach_map(from, p, first, *at, room);
    return error;
}

/* Rounds by name that the library decides in as numbers, a stretch of them at a time. */
static posse_error batch_decide_named(batch *b, size_t *at, size_t end) {
    size_t each = b->rounds->common + b->rounds->own * (size_t)posse_arm_count(b->a->posse);
    size_t most = each <= NUMBERS_MAX / TOGETHER ? TOGETHER : each <= NUMBERS_MAX ? NUMBERS_MAX / each : 1;
    double *room = malloc(most * each * sizeof *room);
    posse_error error = room != NULL ? POSSE_OK : POSSE_ERROR_MEMORY;
    while (*at < end && error == POSSE_OK)
        error = batch_decide_stretch(b, at, end - *at < most ? end - *at : most, each, room);
    free(room);
    return error;
}

#define DECISION_ARRAYS 7

/* The arrays of the decisions, in the order that posse.batches.Decisions takes. */
static bool batch_make_arrays(batch *b, PyObject *arrays[DECISION_ARRAYS]) {
    const char formats[] = "Qlllddl";
    void *places[DECISION_ARRAYS];
    for (int k = 0; k < DECISION_ARRAYS; k++)
        if ((arrays[k] = array_new(b->count, formats[k], &places[k])) == NULL) return false;
    b->made_ids = places[0];
    b->made_arms = places[1];
    b->made_learners = places[2];
    b->made_drawn = places[3];
    b->made_probabilities = places[4];
    b->made_propensities = places[5];
    b->made_modes = places[6];
    return true;
}

/* An array with a row of numbers for each decision, or None if decisions have none. */
static PyObject *batch_make_points(batch *b, int numbers) {
    b->point_numbers = (size_t)numbers;
    if (numbers == 0) return Py_NewRef(Py_None);
    void *place;
    PyObject *flat = array_new(b->count * b->point_numbers, 'd', &place);
    PyObject *array = flat != NULL ? PyObject_CallMethod(flat, "reshape", "ni", (Py_ssize_t)b->count, numbers) : NULL;
    Py_XDECREF(flat);
    b->made_points = place;
    return array;
}

static PyObject *batch_new_decisions(const application *a, PyObject *arrays[DECISION_ARRAYS], PyObject *points,
                                     bool features) {
    PyObject *class = module_import("posse.batches", "Decisions");
    PyObject *names = PyObject_GetAttrString((PyObject *)(uintptr_t)a, "names");
    PyObject *made = NULL;
    if (class != NULL && names != NULL)
        made = PyObject_CallFunction(class, "OOOOOOOOOKO", arrays[0], arrays[1], arrays[2], arrays[3], arrays[4],
                                     arrays[5], arrays[6], points, features ? Py_True : Py_False, a->number, names);
    Py_XDECREF(names);
    Py_XDECREF(class);
    return made;
}

static bool batch_decide_all(batch *b) {
    application *a = b->a;
    if (!application_enter(a)) return false;
    if (b->rounds->list == NULL) context_complete(&b->rounds->one, a);
    bool ok =
        application_made_well(a, posse_pending_reserve(a->posse, b->count > 0 ? b->count : 1), NULL) && batch_run(b);
    if (!ok) posse_pending_reserve(a->posse, 0);
    application_leave(a);
    return ok;
}

static PyObject *batch_decide_rounds(application *a, batch_rounds *r) {
    batch b = {.a = a,
               .rounds = r,
               .count = r->count,
               .what = "decisions were made",
               .check = batch_check_decide,
               .play = batch_decide_one,
               .play_several = r->named && posse_nonzeros(a->posse) == 0 ? batch_decide_named : batch_decide_several};
    decision_shape shape = round_shape(a);
    PyObject *arrays[DECISION_ARRAYS] = {0}, *made = NULL;
    PyObject *points = batch_make_arrays(&b, arrays) ? batch_make_points(&b, shape.numbers) : NULL;
    if (points != NULL && batch_decide_all(&b)) made = batch_new_decisions(a, arrays, points, shape.features);
    Py_XDECREF(points);
    for (int k = 0; k < DECISION_ARRAYS; k++) Py_XDECREF(arrays[k]);
    return made;
}

/* A number of decisions, all in one context; otherwise the contexts themselves. */
static bool batch_open_decide(batch_rounds *r, application *a, PyObject *n, const context_parts *parts) {
    *r = (batch_rounds){.rows = -1};
    if (PyIndex_Check(n) && !PyObject_HasAttrString(n, "__len__")) {
        uint64_t count = 0;
        if (!argument_whole("n", n, 0, INT32_MAX, &count) || !context_open(&r->one, a, parts)) return false;
        r->count = (size_t)count;
        return true;
    }
    if (parts->context != NULL || parts->points != NULL || parts->shared != NULL) {
        PyErr_SetString(PyExc_TypeError, "contexts are an array for all decisions, or a number with one context");
        return false;
    }
    PyObject *read = module_import("posse.batches", "rounds");
    PyObject *arms = parts->arms != NULL ? parts->arms : Py_None;
    bool ok = batch_open_list(r, a, read != NULL ? PyObject_CallFunction(read, "OOO", a, n, arms) : NULL);
    Py_XDECREF(read);
    return ok;
}

static PyObject *batch_unless_none(PyObject *value) {
    return value != Py_None ? value : NULL;
}

PyObject *batch_decide(PyObject *self, PyObject *arguments, PyObject *keywords) {
    static char *names[] = {"n", "context", "points", "shared", "arms", NULL};
    application *a = (application *)self;
    PyObject *n, *context = Py_None, *points = Py_None, *shared = Py_None, *arms = Py_None;
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "O|O$OOO:decide_many", names, &n, &context, &points, &shared,
                                     &arms))
        return NULL;
    context_parts parts = {.context = batch_unless_none(context),
                           .points = batch_unless_none(points),
                           .shared = batch_unless_none(shared),
                           .arms = batch_unless_none(arms)};
    batch_rounds r;
    PyObject *decisions = batch_open_decide(&r, a, n, &parts) ? batch_decide_rounds(a, &r) : NULL;
    batch_close(&r);
    return decisions;
}

/* ---------------------------------------------------- learning --------------------------------------------------- */

static posse_error batch_check_learn(batch *b, size_t i) {
    return posse_check_learn(b->a->posse, b->ids[i], b->rewards[i]);
}

static posse_error batch_learn_one(batch *b, size_t i) {
    return posse_learn(b->a->posse, b->ids[i], b->rewards[i]);
}

static int batch_by_id(const void *x, const void *y) {
    uint64_t first = *(const uint64_t *)x, second = *(const uint64_t *)y;
    return (first > second) - (first < second);
}

/* Whether every id is there once. Ids that ascend, as those of a batch do, need no sorting. */
static bool batch_are_distinct(const uint64_t *ids, size_t count) {
    size_t i = 1;
    while (i < count && ids[i] > ids[i - 1]) i++;
    if (i >= count) return true;
    uint64_t *sorted = malloc(count * sizeof *sorted);
    if (sorted == NULL) return PyErr_NoMemory() != NULL;
    memcpy(sorted, ids, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, batch_by_id);
    for (i = 1; i < count && sorted[i] != sorted[i - 1]; i++) continue;
    if (i < count) {
        char text[80];
        snprintf(text, sizeof text, "decision %llu is there twice", (unsigned long long)sorted[i]);
        errors_raise_told(POSSE_ERROR_SETTLED, text);
    }
    free(sorted);
    return i >= count;
}

static PyObject *batch_learn_all(application *a, batch *b, const uint64_t *makers) {
    if (!batch_are_distinct(b->ids, b->count) || !application_enter(a)) return NULL;
    bool ok = true;
    for (size_t i = 0; ok && i < b->count; i++) ok = round_is_own(a, b->ids[i], makers[i]);
    ok = ok && batch_run(b);
    application_leave(a);
    return ok ? Py_NewRef(Py_None) : NULL;
}

PyObject *batch_learn(PyObject *self, PyObject *arguments, PyObject *keywords) {
    static char *names[] = {"", "rewards", NULL};
    application *a = (application *)self;
    PyObject *decisions, *rewards = Py_None, *answer = NULL;
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "O|O:learn_many", names, &decisions, &rewards)) return NULL;
    PyObject *read = module_import("posse.batches", "settlements");
    PyObject *all = read != NULL ? PyObject_CallFunctionObjArgs(read, decisions, rewards, NULL) : NULL;
    Py_buffer ids = {0}, makers = {0}, amounts = {0};
    if (all != NULL && batch_borrow(all, 0, &ids) && batch_borrow(all, 1, &makers) && batch_borrow(all, 2, &amounts)) {
        batch b = {.a = a,
                   .count = (size_t)ids.len / sizeof(uint64_t),
                   .what = "rewards were learned",
                   .check = batch_check_learn,
                   .play = batch_learn_one,
                   .ids = ids.buf,
                   .rewards = amounts.buf};
        answer = batch_learn_all(a, &b, makers.buf);
    }
    batch_release(&ids);
    batch_release(&makers);
    batch_release(&amounts);
    Py_XDECREF(all);
    Py_XDECREF(read);
    return answer;
}

/* ---------------------------------------------------- teaching --------------------------------------------------- */

/* The play of entry i, with its context in `room`. */
static posse_action batch_action(const batch *b, size_t i, int *arm, posse_context *room) {
    *arm = b->arms != NULL ? batch_arm(b->arms[i]) : -1;
    const double *point = b->points != NULL ? b->points + i * b->point_numbers : NULL;
    return (posse_action){*arm, point, batch_context(b->rounds, i, arm, room)};
}

static posse_error batch_check_teach(batch *b, size_t i) {
    posse_context room;
    int arm;
    posse_action action = batch_action(b, i, &arm, &room);
    return posse_check_teach(b->a->posse, &action, b->rewards[i]);
}

static posse_error batch_teach_one(batch *b, size_t i) {
    posse_context room;
    int arm;
    posse_action action = batch_action(b, i, &arm, &room);
    return posse_teach(b->a->posse, &action, b->rewards[i]);
}

static PyObject *batch_teach_all(application *a, batch *b) {
    if (b->rounds->list != NULL && b->rounds->count != b->count) {
        PyErr_Format(PyExc_ValueError, "%zu rewards, and %zu contexts", b->count, b->rounds->count);
        return NULL;
    }
    if (!application_enter(a)) return NULL;
    bool ok = batch_run(b);
    application_leave(a);
    return ok ? Py_NewRef(Py_None) : NULL;
}

static PyObject *batch_teach_plays(application *a, PyObject *plays, batch_rounds *r) {
    Py_buffer arms = {0}, points = {0}, rewards = {0};
    PyObject *answer = NULL;
    if (batch_borrow(plays, 0, &arms) && batch_borrow(plays, 1, &points) && batch_borrow(plays, 2, &rewards)) {
        batch b = {.a = a,
                   .rounds = r,
                   .count = (size_t)rewards.len / sizeof(double),
                   .what = "rewards were taught",
                   .check = batch_check_teach,
                   .play = batch_teach_one,
                   .arms = arms.obj != NULL ? arms.buf : NULL,
                   .points = points.obj != NULL ? points.buf : NULL,
                   .point_numbers = (size_t)posse_dim(a->posse),
                   .rewards = rewards.buf};
        answer = batch_teach_all(a, &b);
    }
    batch_release(&arms);
    batch_release(&points);
    batch_release(&rewards);
    return answer;
}

/* The contexts of the plays, with the features of all arms or of those that were played. */
static bool batch_open_teach(batch_rounds *r, application *a, PyObject *contexts) {
    *r = (batch_rounds){.rows = -1};
    if (contexts == Py_None) return true;
    PyObject *read = module_import("posse.batches", "rounds");
    PyObject *made = read != NULL ? PyObject_CallFunction(read, "OOOO", a, contexts, Py_None, Py_True) : NULL;
    Py_XDECREF(read);
    return batch_open_list(r, a, made);
}

PyObject *batch_teach(PyObject *self, PyObject *arguments, PyObject *keywords) {
    static char *names[] = {"", "rewards", "contexts", NULL};
    application *a = (application *)self;
    PyObject *arms, *rewards, *contexts = Py_None, *answer = NULL;
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "OO|O:teach_many", names, &arms, &rewards, &contexts))
        return NULL;
    PyObject *read = module_import("posse.batches", "plays");
    PyObject *plays = read != NULL ? PyObject_CallFunctionObjArgs(read, self, arms, rewards, NULL) : NULL;
    batch_rounds r = {0};
    if (plays != NULL && batch_open_teach(&r, a, contexts)) answer = batch_teach_plays(a, plays, &r);
    batch_close(&r);
    Py_XDECREF(plays);
    Py_XDECREF(read);
    return answer;
}
