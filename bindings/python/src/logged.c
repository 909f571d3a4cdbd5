/* SPDX-License-Identifier: MIT */
#include "python/src/logged.h"

#include <stdio.h>
#include <stdlib.h>

#include "common/file.h"
#include "data/vw.h"
#include "experiment/store/log_writer.h"
#include "python/src/context.h"

/* ---------------------------------------------------- reading ---------------------------------------------------- */

/* features: room for those of any row. */
static PyObject *row_object(const logbook *book, size_t i, double *features) {
    const logbook_row *row = &book->row[i];
    posse_context c = {.count = row->count, .arms = logbook_arms(book, i)};
    logbook_features(book, i, features);
    *(book->own ? &c.points : &c.shared) = features;
    PyObject *context = context_new(&c, book->width, book->width);
    return context != NULL ? Py_BuildValue("Nidd", context, row->arm, row->reward, row->probability) : NULL;
}

static PyObject *row_list(const logbook *book) {
    size_t rows = book->own ? (size_t)book->arms : 1;
    double *features = PyMem_Malloc(rows * (size_t)book->width * sizeof *features);
    PyObject *list = features != NULL ? PyList_New(0) : PyErr_NoMemory();
    for (size_t i = 0; list != NULL && i < book->rows; i++) {
        PyObject *row = row_object(book, i, features);
        if (row == NULL || PyList_Append(list, row) != 0) Py_CLEAR(list);
        Py_XDECREF(row);
    }
    PyMem_Free(features);
    return list;
}

static PyObject *book_object(const logbook *book) {
    PyObject *rows = row_list(book);
    if (rows == NULL) return NULL;
    return Py_BuildValue("iiiN", book->arms, book->own ? book->width : 0, book->own ? 0 : book->width, rows);
}

PyObject *logged_read(PyObject *self, PyObject *text) {
    (void)self;
    char *bytes;
    Py_ssize_t length;
    if (PyBytes_AsStringAndSize(text, &bytes, &length) != 0) return NULL;
    arena memory = {0};
    logbook book = {0};
    data_problem wrong;
    PyObject *answer;
    posse_error error = vw_read(bytes, (size_t)length, &memory, &book, &wrong);
    if (error == POSSE_OK)
        answer = book_object(&book);
    else if (error == POSSE_ERROR_FIT)
        answer = Py_BuildValue("nns", (Py_ssize_t)wrong.line, (Py_ssize_t)wrong.column, wrong.text);
    else
        answer = PyErr_NoMemory();
    arena_release(&memory);
    return answer;
}

/* ---------------------------------------------------- writing ---------------------------------------------------- */

/* The buffers of a round that is being written. */
typedef struct round_buffers {
    Py_buffer points, shared;
    int *arms;
} round_buffers;

static bool logged_take_reals(PyObject *array, Py_buffer *out) {
    return array == Py_None || PyObject_GetBuffer(array, out, PyBUF_C_CONTIGUOUS) == 0;
}

static bool logged_take_arms(PyObject *array, round_buffers *b, int *count) {
    Py_buffer given;
    if (array == Py_None) return true;
    if (PyObject_GetBuffer(array, &given, PyBUF_C_CONTIGUOUS) != 0) return false;
    *count = (int)given.shape[0];
    b->arms = malloc(((size_t)*count + 1) * sizeof *b->arms);
    for (int k = 0; b->arms != NULL && k < *count; k++) b->arms[k] = (int)((const long *)given.buf)[k];
    PyBuffer_Release(&given);
    if (b->arms == NULL) PyErr_NoMemory();
    return b->arms != NULL;
}

static void logged_release(round_buffers *b) {
    if (b->points.obj != NULL) PyBuffer_Release(&b->points);
    if (b->shared.obj != NULL) PyBuffer_Release(&b->shared);
    free(b->arms);
}

/* False: *why is the reason, or an exception is set. */
static bool write_round(log_writer *w, PyObject *round, const char **why) {
    PyObject *points, *shared, *arms;
    posse_decision d = {0};
    posse_context c = {0};
    round_buffers b = {0};
    double reward;
    if (!PyArg_ParseTuple(round, "OOOidd", &points, &shared, &arms, &d.arm, &reward, &d.propensity)) return false;
    bool ok = logged_take_reals(points, &b.points) && logged_take_reals(shared, &b.shared) &&
              logged_take_arms(arms, &b, &c.count);
    c.points = b.points.buf;
    c.shared = b.shared.buf;
    c.arms = b.arms;
    ok = ok && log_writer_put(w, &c, &d, reward, why);
    logged_release(&b);
    return ok;
}

static PyObject *write_rounds(log_writer *w, PyObject *rounds) {
    PyObject *all = PyObject_GetIter(rounds), *round;
    const char *why = NULL;
    bool ok = all != NULL;
    while (ok && (round = PyIter_Next(all)) != NULL) {
        ok = write_round(w, round, &why);
        Py_DECREF(round);
    }
    Py_XDECREF(all);
    if (PyErr_Occurred()) return NULL;
    return why != NULL ? Py_BuildValue("Ks", (unsigned long long)w->rounds, why) : Py_NewRef(Py_None);
}

PyObject *logged_write(PyObject *self, PyObject *arguments) {
    (void)self;
    PyObject *path, *rounds, *answer = NULL;
    posse_def def = {0};
    if (!PyArg_ParseTuple(arguments, "O&iiiO", PyUnicode_FSConverter, &path, &def.arms, &def.dim, &def.context,
                          &rounds))
        return NULL;
    log_writer w;
    const char *why;
    file_draft d;
    bool opened = file_draft_open(&d, PyBytes_AsString(path));
    if (opened && log_writer_open(&w, d.stream, LOG_FORM_VW, &def, &why)) answer = write_rounds(&w, rounds);
    bool written = opened && file_draft_finish(&d, answer == Py_None);
    if (!written && !PyErr_Occurred() && (answer == NULL || answer == Py_None)) {
        PyErr_SetFromErrnoWithFilename(PyExc_OSError, PyBytes_AsString(path));
        Py_CLEAR(answer);
    }
    Py_DECREF(path);
    return answer;
}
