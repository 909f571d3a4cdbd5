/* SPDX-License-Identifier: MIT */
#include "python/src/snapshot.h"

#include "posse_inside.h"
#include "python/src/errors.h"

/* The library's bytes. */
static PyObject *save_posse(application *a) {
    size_t length = 0;
    posse_save(a->posse, NULL, &length);
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)length);
    if (bytes == NULL) return NULL;
    posse_error error = posse_save(a->posse, PyBytes_AsString(bytes), &length);
    if (error == POSSE_OK) return bytes;
    Py_DECREF(bytes);
    return errors_raise(error, NULL);
}

/* The learners in Python by number: the ones that play, and None for those that were retired. */
static PyObject *snapshot_playing(application *a) {
    PyObject *list = PyList_New(0);
    for (Py_ssize_t i = 0; list != NULL && a->cast != NULL && i < cast_count(a->cast); i++) {
        PyObject *learner = cast_learner(a->cast, i);
        if (PyList_Append(list, learner != NULL ? learner : Py_None) != 0) Py_CLEAR(list);
    }
    return list;
}

/* A tuple of the library's bytes, the numbers of the places and the learners in Python. */
static PyObject *snapshot(application *a) {
    PyObject *bytes = save_posse(a), *learners = bytes != NULL ? snapshot_playing(a) : NULL;
    PyObject *numbers = learners != NULL ? PySequence_List(a->numbers) : NULL;
    PyObject *all = numbers != NULL ? PyTuple_Pack(3, bytes, numbers, learners) : NULL;
    Py_XDECREF(numbers);
    Py_XDECREF(learners);
    Py_XDECREF(bytes);
    return all;
}

/*
 * Gives the snapshot to a function of posse.saving. The lock is held, so that no learner plays while learners are
 * pickled.
 */
static PyObject *with_snapshot(PyObject *self, const char *function, PyObject *argument) {
    application *a = (application *)self;
    PyObject *act = module_import("posse.saving", function);
    if (act == NULL || !application_enter(a)) {
        Py_XDECREF(act);
        return NULL;
    }
    PyObject *all = snapshot(a);
    PyObject *answer = all != NULL ? PyObject_CallFunctionObjArgs(act, all, argument, NULL) : NULL;
    application_leave(a);
    Py_XDECREF(all);
    Py_DECREF(act);
    return answer;
}

PyObject *snapshot_save(PyObject *self, PyObject *unused) {
    (void)unused;
    return with_snapshot(self, "pack", NULL);
}

PyObject *snapshot_reduce(PyObject *self, PyObject *unused) {
    (void)unused;
    PyObject *bytes = with_snapshot(self, "pack", NULL), *way = bytes != NULL ? module_import("posse", "load") : NULL;
    PyObject *recipe = way != NULL ? Py_BuildValue("O(O)", way, bytes) : NULL;
    Py_XDECREF(way);
    Py_XDECREF(bytes);
    return recipe;
}

/* The numbers of the places as they were saved; -1 for each place if there are no learners in Python. */
static bool snapshot_take_numbers(application *a, PyObject *numbers) {
    Py_ssize_t places = posse_learner_count(a->posse), known = numbers != Py_None ? PySequence_Size(numbers) : places;
    PyObject *none = PyLong_FromLong(-1);
    for (Py_ssize_t i = 0; i < places && none != NULL && !PyErr_Occurred(); i++) {
        PyObject *number = numbers != Py_None ? PySequence_GetItem(numbers, i) : Py_NewRef(none);
        if (number != NULL) PyList_Append(a->numbers, number);
        Py_XDECREF(number);
    }
    Py_XDECREF(none);
    if (!PyErr_Occurred() && known != places) errors_raise(POSSE_ERROR_DAMAGED, NULL);
    return !PyErr_Occurred();
}

static bool snapshot_restore(application *a, PyObject *bytes, PyObject *numbers, PyObject *learners, bool exact) {
    char *data;
    Py_ssize_t length;
    if (PyBytes_AsStringAndSize(bytes, &data, &length) != 0) return false;
    if (PySequence_Size(learners) > 0 && (a->cast = cast_make(learners)) == NULL) return false;
    if (a->cast != NULL) cast_set_loading(a->cast, true);
    message_log log = {0};
    posse_host host = application_host(a);
    problems_open(&log.found, NULL);
    a->log = &log;
    cast *before = cast_enter(a->cast);
    posse_error error = (exact ? posse_load_exact : posse_load)(data, (size_t)length, &host, &a->posse);
    cast_leave(before);
    a->log = NULL;
    if (a->cast != NULL) cast_set_loading(a->cast, false);
    bool ok = application_made_well(a, error, &log) && snapshot_take_numbers(a, numbers);
    problems_close(&log.found);
    if (ok) a->inherited = posse_decision_count(a->posse);
    return ok;
}

/* A posse from a snapshot. exact: ids continue those of the original, in its epoch. */
static PyObject *snapshot_revive(PyObject *all, bool exact) {
    PyObject *bytes, *numbers, *learners;
    if (!PyArg_ParseTuple(all, "SOO", &bytes, &numbers, &learners)) return NULL;
    application *a = application_allocate();
    if (a == NULL) return NULL;
    if (!snapshot_restore(a, bytes, numbers, learners, exact)) {
        Py_DECREF(a);
        return NULL;
    }
    return (PyObject *)a;
}

PyObject *snapshot_deep_copy(PyObject *self, PyObject *memo) {
    PyObject *all = with_snapshot(self, "twin", memo);
    PyObject *twin = all != NULL ? snapshot_revive(all, false) : NULL;
    Py_XDECREF(all);
    return twin;
}

PyObject *snapshot_copy(PyObject *self, PyObject *unused) {
    (void)unused;
    return snapshot_deep_copy(self, NULL);
}

PyObject *snapshot_load(PyObject *self, PyObject *arguments, PyObject *keywords) {
    (void)self;
    static char *names[] = {"", "exact", NULL};
    PyObject *data;
    int exact = 0;
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "O|$p:load", names, &data, &exact)) return NULL;
    PyObject *unpack = module_import("posse.saving", "unpack");
    PyObject *all = unpack != NULL ? PyObject_CallFunctionObjArgs(unpack, data, NULL) : NULL;
    PyObject *loaded = all != NULL ? snapshot_revive(all, exact != 0) : NULL;
    Py_XDECREF(all);
    Py_XDECREF(unpack);
    return loaded;
}
