/* SPDX-License-Identifier: MIT */
#include "python/src/named.h"

#include <stdlib.h>

#include "python/src/plain.h"

/* One of (name, word or None, number, truth). Its texts stay where they are as long as the tuple lives. */
static bool named_copy_feature(PyObject *given, posse_feature *out) {
    int truth;
    *out = (posse_feature){0};
    if (!PyArg_ParseTuple(given, "szdi", &out->name, &out->word, &out->number, &truth)) return false;
    out->truth = truth != 0;
    return true;
}

static bool named_copy_row(PyObject *row, posse_feature *to, posse_feature_list *out) {
    Py_ssize_t count = PyList_Size(row);
    for (Py_ssize_t i = 0; i < count; i++)
        if (!named_copy_feature(PyList_GetItem(row, i), &to[i])) return false;
    *out = (posse_feature_list){(int)count, to};
    return true;
}

/* The first row has the shared features, and each further one those of an arm. */
static bool named_copy(given_names *x) {
    size_t total = 0, used = 0, rows = (size_t)PyList_Size(x->rows);
    for (size_t k = 0; k < rows; k++) total += (size_t)PyList_Size(PyList_GetItem(x->rows, (Py_ssize_t)k));
    x->features = malloc((total + 1) * sizeof *x->features);
    x->lists = malloc(rows * sizeof *x->lists);
    if (x->features == NULL || x->lists == NULL) return PyErr_NoMemory() != NULL;
    for (size_t k = 0; k < rows; k++) {
        posse_feature_list *list = k > 0 ? &x->lists[k - 1] : &x->named.shared;
        if (!named_copy_row(PyList_GetItem(x->rows, (Py_ssize_t)k), x->features + used, list)) return false;
        used += (size_t)list->count;
    }
    x->count = (int)rows - 1;
    x->named.points = x->count > 0 ? x->lists : NULL;
    return true;
}

/* The features of each arm, if all are plain. *arms: the arms alone. */
static plain_outcome named_read_arms(given_names *x, plain_list *to, PyObject *given, PyObject **arms) {
    PyObject *arm, *features;
    size_t count = (size_t)PyDict_Size(given);
    plain_outcome outcome = PLAIN_TAKEN;
    x->lists = malloc((count + 1) * sizeof *x->lists);
    *arms = x->lists != NULL ? PyDict_Keys(given) : PyErr_NoMemory();
    if (*arms == NULL) return PLAIN_FAILED;
    for (Py_ssize_t at = 0; outcome == PLAIN_TAKEN && PyDict_Next(given, &at, &arm, &features);)
        outcome = plain_read(to, features, &x->lists[x->count++]);
    x->named.points = x->count > 0 ? x->lists : NULL;
    return outcome;
}

/* Reads features that are plain, with the same result as the way through Python. */
static plain_outcome named_read_plain(given_names *x, PyObject *shared, PyObject *given, PyObject **arms) {
    bool dict = given != NULL && PyDict_CheckExact(given), list = given != NULL && PyList_CheckExact(given);
    if (given != NULL && !dict && !list) return PLAIN_ODD;
    x->rows = PyList_New(0);
    x->memory = x->rows != NULL ? pool_create(NULL) : NULL;
    if (x->memory == NULL) PyErr_NoMemory();
    if (x->memory == NULL) return PLAIN_FAILED;
    plain_outcome outcome = PLAIN_TAKEN;
    plain_list to = {.memory = x->memory, .keeper = x->rows};
    if (shared != NULL) outcome = plain_read(&to, shared, &x->named.shared);
    if (outcome == PLAIN_TAKEN && dict) outcome = named_read_arms(x, &to, given, arms);
    if (outcome == PLAIN_TAKEN && list) *arms = Py_NewRef(given);
    return outcome;
}

static bool named_read_any(given_names *x, PyObject *shared, PyObject *given, PyObject **arms) {
    PyObject *read = module_import("posse.contexts", "by_name");
    PyObject *all = read != NULL ? PyObject_CallFunction(read, "OO", shared != NULL ? shared : Py_None,
                                                         given != NULL ? given : Py_None)
                                 : NULL;
    Py_XDECREF(read);
    if (all == NULL) return false;
    x->rows = Py_NewRef(PyTuple_GetItem(all, 0));
    if (PyTuple_GetItem(all, 1) != Py_None) *arms = Py_NewRef(PyTuple_GetItem(all, 1));
    Py_DECREF(all);
    return named_copy(x);
}

bool named_open(given_names *x, PyObject *shared, PyObject *given, PyObject **arms) {
    *arms = NULL;
    plain_outcome outcome = named_read_plain(x, shared, given, arms);
    if (outcome != PLAIN_ODD) return outcome == PLAIN_TAKEN;
    Py_CLEAR(*arms);
    named_close(x);
    return named_read_any(x, shared, given, arms);
}

void named_close(given_names *x) {
    free(x->features);
    free(x->lists);
    free(x->sorted);
    pool_free(x->memory);
    Py_XDECREF(x->rows);
    *x = (given_names){0};
}

bool named_sort(given_names *x, const int *order) {
    if (x->count == 0 || order == NULL) return true;
    x->sorted = malloc((size_t)x->count * sizeof *x->sorted);
    if (x->sorted == NULL) return PyErr_NoMemory() != NULL;
    for (int k = 0; k < x->count; k++) x->sorted[k] = x->lists[order[k]];
    x->named.points = x->sorted;
    return true;
}
