/* SPDX-License-Identifier: MIT */
#include "python/src/crowd.h"

#include "posse_inside.h"

/* Takes features of a round, or of an arm in it. */
static bool crowd_take(crowd *c, PyObject *features, size_t round, PyObject *arm, posse_feature_list *out) {
    plain_outcome outcome = plain_read(&c->lists, features, out);
    if (outcome != PLAIN_ODD) return outcome == PLAIN_TAKEN;
    PyObject *plain = plain_unbox(features, round, arm);
    outcome = plain != NULL ? plain_read(&c->lists, plain, out) : PLAIN_FAILED;
    Py_XDECREF(plain);
    if (outcome == PLAIN_ODD) PyErr_SetString(PyExc_TypeError, PLAIN_WANTED);
    return outcome == PLAIN_TAKEN;
}

/* ------------------------------------------------------- arms ---------------------------------------------------- */

/* (first round, numbers of arms, their features or None, their names), made by posse.batches. */
static bool crowd_take_arms(crowd *c, PyObject *given, crowd_arms *out) {
    PyObject *numbers, *features, *labels;
    Py_ssize_t first;
    if (given == Py_None) return true;
    if (!PyArg_ParseTuple(given, "nOOO", &first, &numbers, &features, &labels)) return false;
    size_t count = (size_t)PyList_Size(numbers);
    out->count = (int)count;
    out->arms = pool_array(c->memory, count + 1, sizeof *out->arms);
    if (features != Py_None) out->points = pool_array(c->memory, count + 1, sizeof *out->points);
    if (out->arms == NULL || (features != Py_None && out->points == NULL)) return PyErr_NoMemory() != NULL;
    for (size_t k = 0; k < count; k++) {
        Py_ssize_t place = (Py_ssize_t)k;
        out->arms[k] = (int)PyLong_AsLong(PyList_GetItem(numbers, place));
        if (PyErr_Occurred()) return false;
        if (out->points != NULL && !crowd_take(c, PyList_GetItem(features, place), (size_t)first,
                                               PyList_GetItem(labels, place), &out->points[k]))
            return false;
    }
    return true;
}

static crowd_arms *crowd_take_sets(crowd *c, PyObject *sets) {
    size_t count = (size_t)PyList_Size(sets);
    crowd_arms *all = pool_array(c->memory, count + 1, sizeof *all);
    if (all == NULL) PyErr_NoMemory();
    for (size_t k = 0; all != NULL && k < count; k++)
        if (!crowd_take_arms(c, PyList_GetItem(sets, (Py_ssize_t)k), &all[k])) return NULL;
    return all;
}

/* ------------------------------------------------------ the whole ------------------------------------------------ */

static bool crowd_reserve(crowd *c) {
    c->rounds = pool_array(c->memory, c->count + 1, sizeof *c->rounds);
    c->arms = pool_array(c->memory, c->count + 1, sizeof *c->arms);
    return (c->rounds != NULL && c->arms != NULL) || PyErr_NoMemory() != NULL;
}

static bool crowd_take_frame(crowd *c, PyObject *frame, const crowd_arms *arms) {
    columns from;
    bool ok = columns_open(&from, &c->lists, frame);
    c->count = from.rows;
    ok = ok && crowd_reserve(c);
    for (size_t i = 0; ok && i < c->count; i++) {
        c->arms[i] = arms;
        c->rounds[i].points = arms->points;
        ok = columns_read(&from, &c->lists, i, &c->rounds[i].shared);
    }
    columns_close(&from);
    return ok;
}

static bool crowd_take_round(crowd *c, size_t i, PyObject *row, const crowd_arms *arms) {
    c->arms[i] = arms;
    c->rounds[i].points = arms->points;
    return row == Py_None || (row != NULL && crowd_take(c, row, i, NULL, &c->rounds[i].shared));
}

/* which: the set of arms of each round, or None if all have the first one. */
static bool crowd_take_rows(crowd *c, PyObject *rows, PyObject *which, const crowd_arms *sets) {
    c->count = (size_t)PyList_Size(rows);
    if (!crowd_reserve(c)) return false;
    for (size_t i = 0; i < c->count; i++) {
        PyObject *set = which != Py_None ? PyList_GetItem(which, (Py_ssize_t)i) : NULL;
        long place = set != NULL ? PyLong_AsLong(set) : 0;
        if ((place == -1 && PyErr_Occurred()) ||
            !crowd_take_round(c, i, PyList_GetItem(rows, (Py_ssize_t)i), &sets[place]))
            return false;
    }
    return true;
}

bool crowd_open(crowd *c, PyObject *made) {
    PyObject *rows, *sets, *which;
    *c = (crowd){.memory = pool_create(NULL)};
    c->words = pool_allocate(c->memory, sizeof *c->words);
    if (c->words == NULL) return PyErr_NoMemory() != NULL;
    c->lists = (plain_list){.memory = c->memory, .words = c->words};
    if (!vocabulary_open(c->words, c->memory) || !PyArg_ParseTuple(made, "OOO", &rows, &sets, &which)) return false;
    const crowd_arms *all = crowd_take_sets(c, sets);
    if (all == NULL) return false;
    return PyTuple_Check(rows) ? crowd_take_frame(c, rows, all) : crowd_take_rows(c, rows, which, all);
}

void crowd_close(crowd *c) {
    if (c->words != NULL) vocabulary_close(c->words);
    pool_free(c->memory);
    *c = (crowd){0};
}

posse_context crowd_context(const crowd *c, size_t i) {
    return (posse_context){.count = c->arms[i]->count, .arms = c->arms[i]->arms, .named = &c->rounds[i]};
}

posse_error crowd_numbers(const crowd *c, const posse *p, size_t i, double *room, posse_context *out) {
    int shared = posse_shared_feature_count(p), all = posse_feature_count(p);
    posse_context named = crowd_context(c, i);
    *out = (posse_context){.count = named.count, .arms = named.arms};
    if (shared > 0) out->shared = room;
    if (all > shared) out->points = room + shared;
    return posse_named_write(p, &named, room, room + shared);
}

void crowd_teach_map(const crowd *c, posse *p, size_t first, size_t end, double *room) {
    posse_context numbers;
    posse_error error = posse_trial_begin(p);
    for (size_t i = first; i < end && error == POSSE_OK; i++) error = crowd_numbers(c, p, i, room, &numbers);
    posse_trial_end(p, error == POSSE_OK);
}
