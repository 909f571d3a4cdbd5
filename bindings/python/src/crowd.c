/* SPDX-License-Identifier: MIT */
#include "python/src/crowd.h"

#include "python/src/plain.h"

/* Features that are not plain, as a dict that is; posse.contexts refuses the others at their place. */
static PyObject *crowd_unbox(PyObject *features, size_t round, PyObject *arm) {
    PyObject *call = module_import("posse.batches", "plain_features");
    PyObject *plain = NULL;
    if (call != NULL)
        plain = PyObject_CallFunction(call, "OnO", features, (Py_ssize_t)round, arm != NULL ? arm : Py_None);
    Py_XDECREF(call);
    return plain;
}

/* Takes features of a round, or of an arm in it. */
static bool crowd_take(crowd *c, PyObject *features, size_t round, PyObject *arm, posse_feature_list *out) {
    plain_outcome outcome = plain_read(c->memory, c->keeper, features, out);
    if (outcome != PLAIN_ODD) return outcome == PLAIN_TAKEN;
    PyObject *plain = crowd_unbox(features, round, arm);
    outcome = plain != NULL ? plain_read(c->memory, c->keeper, plain, out) : PLAIN_FAILED;
    Py_XDECREF(plain);
    if (outcome == PLAIN_ODD)
        PyErr_SetString(PyExc_TypeError, "features are numbers, words, True, False, or lists of words");
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

static bool crowd_take_round(crowd *c, size_t i, PyObject *row, const crowd_arms *arms) {
    c->arms[i] = arms;
    c->rounds[i].points = arms->points;
    return row == Py_None || (row != NULL && crowd_take(c, row, i, NULL, &c->rounds[i].shared));
}

bool crowd_open(crowd *c, PyObject *made) {
    PyObject *rows, *sets, *which;
    *c = (crowd){.memory = pool_create(NULL), .keeper = PyList_New(0)};
    if (c->memory == NULL) PyErr_NoMemory();
    if (c->memory == NULL || c->keeper == NULL || PyList_Append(c->keeper, made) != 0) return false;
    if (!PyArg_ParseTuple(made, "OOO", &rows, &sets, &which)) return false;
    const crowd_arms *all = crowd_take_sets(c, sets);
    c->count = (size_t)PyList_Size(rows);
    c->rounds = pool_array(c->memory, c->count + 1, sizeof *c->rounds);
    c->arms = pool_array(c->memory, c->count + 1, sizeof *c->arms);
    if (all == NULL) return false;
    if (c->rounds == NULL || c->arms == NULL) return PyErr_NoMemory() != NULL;
    for (size_t i = 0; i < c->count; i++) {
        PyObject *set = which != Py_None ? PyList_GetItem(which, (Py_ssize_t)i) : NULL;
        long place = set != NULL ? PyLong_AsLong(set) : 0;
        if (PyErr_Occurred() || !crowd_take_round(c, i, PyList_GetItem(rows, (Py_ssize_t)i), &all[place])) return false;
    }
    return true;
}

void crowd_close(crowd *c) {
    pool_free(c->memory);
    Py_XDECREF(c->keeper);
    *c = (crowd){0};
}

posse_context crowd_context(const crowd *c, size_t i) {
    return (posse_context){.count = c->arms[i]->count, .arms = c->arms[i]->arms, .named = &c->rounds[i]};
}
