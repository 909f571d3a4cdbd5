/* SPDX-License-Identifier: MIT */
#include "python/src/columns.h"

#include <math.h>
#include <string.h>

/* ---------------------------------------------------- the columns ------------------------------------------------ */

static bool column_take_words(column *c, plain_list *to, PyObject *words) {
    c->word_count = PyList_Size(words);
    c->words = pool_array(to->memory, (size_t)c->word_count + 1, sizeof *c->words);
    if (c->words == NULL) return PyErr_NoMemory() != NULL;
    for (Py_ssize_t i = 0; i < c->word_count; i++) {
        const char *word = vocabulary_text(to->words, PyList_GetItem(words, i));
        if (word == NULL) return false;
        c->words[i] = (posse_feature){.name = c->name, .word = word};
        c->words[i].ahead = vocabulary_place(to->words, c->name, word);
        if (c->words[i].ahead < 0) return false;
    }
    return true;
}

/* Cells are an array, or a pair of the places of words and the words. */
static bool column_take(column *c, plain_list *to, PyObject *cells) {
    bool pair = PyTuple_Check(cells);
    PyObject *array = pair ? PyTuple_GetItem(cells, 0) : cells;
    if (PyObject_GetBuffer(array, &c->cells, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT) != 0) return false;
    char format = c->cells.format != NULL ? c->cells.format[0] : '\0';
    c->kind = pair ? COLUMN_WORDS : format == '?' ? COLUMN_TRUTHS : format == 'O' ? COLUMN_OBJECTS : COLUMN_NUMBERS;
    if (pair) return column_take_words(c, to, PyTuple_GetItem(cells, 1));
    c->ahead = c->kind != COLUMN_OBJECTS ? vocabulary_place(to->words, c->name, NULL) : 0;
    return c->ahead >= 0;
}

bool columns_open(columns *c, plain_list *to, PyObject *made) {
    PyObject *labels, *cells;
    Py_ssize_t rows;
    *c = (columns){0};
    if (!PyArg_ParseTuple(made, "nOO", &rows, &labels, &cells)) return false;
    size_t count = (size_t)PyList_Size(labels);
    c->rows = (size_t)rows;
    c->list = pool_array(to->memory, count + 1, sizeof *c->list);
    if (c->list == NULL) return PyErr_NoMemory() != NULL;
    for (; c->count < count; c->count++) {
        column *one = &c->list[c->count];
        Py_ssize_t place = (Py_ssize_t)c->count;
        one->label = PyList_GetItem(labels, place);
        one->name = vocabulary_text(to->words, one->label);
        if (one->name == NULL || !column_take(one, to, PyList_GetItem(cells, place))) return false;
    }
    return true;
}

void columns_close(columns *c) {
    for (size_t k = 0; k < c->count; k++)
        if (c->list[k].cells.obj != NULL) PyBuffer_Release(&c->list[k].cells);
    *c = (columns){0};
}

/* ------------------------------------------------------- a row --------------------------------------------------- */

/* A cell that is not plain: posse.contexts converts or refuses it. */
static plain_outcome column_add_odd(const column *c, plain_list *to, size_t row, PyObject *cell) {
    PyObject *one = PyDict_New(), *plain = NULL;
    if (one != NULL && PyDict_SetItem(one, c->label, cell) == 0) plain = plain_unbox(one, row, NULL);
    plain_outcome outcome = plain != NULL ? plain_add_all(to, plain) : PLAIN_FAILED;
    Py_XDECREF(plain);
    Py_XDECREF(one);
    return outcome;
}

static plain_outcome column_add_object(const column *c, plain_list *to, size_t row) {
    PyObject *cell = ((PyObject *const *)c->cells.buf)[row];
    if (cell == NULL) cell = Py_None;
    size_t before = to->count;
    plain_outcome outcome = plain_add(to, c->name, cell);
    if (outcome != PLAIN_ODD) return outcome;
    to->count = before;
    return column_add_odd(c, to, row, cell);
}

static plain_outcome column_refuse_number(const column *c, plain_list *to, size_t row, double number) {
    PyObject *cell = PyFloat_FromDouble(number);
    plain_outcome outcome = cell != NULL ? column_add_odd(c, to, row, cell) : PLAIN_FAILED;
    Py_XDECREF(cell);
    return outcome;
}

static plain_outcome column_add(const column *c, plain_list *to, size_t row) {
    posse_feature feature = {.name = c->name, .ahead = c->ahead};
    if (c->kind == COLUMN_OBJECTS) return column_add_object(c, to, row);
    if (c->kind == COLUMN_WORDS) return plain_put(to, c->words[((const int32_t *)c->cells.buf)[row]]);
    feature.truth = c->kind == COLUMN_TRUTHS;
    feature.number =
        feature.truth ? ((const unsigned char *)c->cells.buf)[row] != 0 : ((const double *)c->cells.buf)[row];
    return isfinite(feature.number) ? plain_put(to, feature) : column_refuse_number(c, to, row, feature.number);
}

bool columns_read(const columns *c, plain_list *to, size_t row, posse_feature_list *out) {
    plain_outcome outcome = PLAIN_TAKEN;
    to->count = 0;
    for (size_t k = 0; k < c->count && outcome == PLAIN_TAKEN; k++) outcome = column_add(&c->list[k], to, row);
    if (outcome == PLAIN_ODD) PyErr_SetString(PyExc_TypeError, PLAIN_WANTED);
    if (outcome == PLAIN_TAKEN) *out = plain_end(to);
    return outcome == PLAIN_TAKEN;
}
