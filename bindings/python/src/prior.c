/* SPDX-License-Identifier: MIT */
#include "python/src/prior.h"

#include <stdio.h>

#include "describe/prior_file.h"
#include "posse_kinds.h"
#include "python/src/errors.h"

/* --------------------------------------------------- to a dict --------------------------------------------------- */

static PyObject *numbers_list(const double *list, size_t count) {
    PyObject *all = PyList_New(0);
    for (size_t i = 0; all != NULL && i < count; i++) {
        PyObject *one = PyFloat_FromDouble(list[i]);
        if (one == NULL || PyList_Append(all, one) != 0) Py_CLEAR(all);
        Py_XDECREF(one);
    }
    return all;
}

static PyObject *rows_list(const double *list, size_t count, size_t width) {
    PyObject *all = PyList_New(0);
    for (size_t i = 0; all != NULL && i + width <= count; i += width) {
        PyObject *row = numbers_list(list + i, width);
        if (row == NULL || PyList_Append(all, row) != 0) Py_CLEAR(all);
        Py_XDECREF(row);
    }
    return all;
}

static PyObject *part_dict(const posse_part *part, size_t arms);

static PyObject *components_list(const posse_option *o, size_t arms) {
    PyObject *all = PyList_New(0);
    for (size_t i = 0; all != NULL && i < o->count; i++) {
        PyObject *one = Py_BuildValue("{s:d,s:N}", "weight", o->list[i], "belief", part_dict(&o->part[i], arms));
        if (one == NULL || PyList_Append(all, one) != 0) Py_CLEAR(all);
        Py_XDECREF(one);
    }
    return all;
}

static posse_type type_of(const posse_part *part, const char *key) {
    const posse_param *p = posse_kind_param(POSSE_FAMILY_BELIEF, posse_kind_find(POSSE_FAMILY_BELIEF, part->kind), key);
    return p != NULL ? p->type : POSSE_TYPE_REAL;
}

static PyObject *option_value(const posse_part *part, const posse_option *o, size_t arms) {
    posse_type type = type_of(part, o->key);
    if (o->part != NULL) return components_list(o, arms);
    if (o->word != NULL) return PyUnicode_FromString(o->word);
    if (type == POSSE_TYPE_TABLE) return rows_list(o->list, o->count, arms);
    if (o->list != NULL) return numbers_list(o->list, o->count);
    return type == POSSE_TYPE_FLAG ? PyBool_FromLong(o->number != 0.0) : PyFloat_FromDouble(o->number);
}

/* Keys such as `noise.shape` stay as they are, because experiment files and Python accept them with the dot. */
static PyObject *part_dict(const posse_part *part, size_t arms) {
    PyObject *dict = Py_BuildValue("{s:s}", "kind", part->kind);
    for (int i = 0; dict != NULL && i < POSSE_OPTIONS_MAX && part->options[i].key != NULL; i++) {
        PyObject *value = option_value(part, &part->options[i], arms);
        if (value == NULL || PyDict_SetItemString(dict, part->options[i].key, value) != 0) Py_CLEAR(dict);
        Py_XDECREF(value);
    }
    return dict;
}

/* --------------------------------------------------- the calls --------------------------------------------------- */

/* The first message of the library. */
typedef struct first_words {
    char text[800];
} first_words;

static void prior_hear(void *context, const posse_place *place, const char *message) {
    (void)place;
    first_words *words = context;
    if (words->text[0] == '\0') snprintf(words->text, sizeof words->text, "%s", message);
}

static PyObject *prior_answer(posse_error error, posse_prior *prior, const first_words *words) {
    if (error == POSSE_ERROR_MEMORY) return PyErr_NoMemory();
    if (error != POSSE_OK) return errors_raise_argument("file", "%s", words->text);
    PyObject *dict = part_dict(posse_prior_part(prior), (size_t)posse_prior_arm_count(prior));
    posse_prior_free(prior);
    return dict;
}

PyObject *prior_read(PyObject *self, PyObject *path) {
    (void)self;
    PyObject *bytes;
    first_words words = {""};
    problems found;
    posse_prior *prior = NULL;
    const posse_allocator heap = {0};
    if (!PyUnicode_FSConverter(path, &bytes)) return NULL;
    problems_open(&found, &heap);
    bool done = prior_file_read(PyBytes_AsString(bytes), &heap, &found, &prior);
    problems_sort(&found);
    const char *line =
        !done && found.count > 0 ? problem_line(&found.list[0], PyBytes_AsString(bytes), found.memory) : NULL;
    if (line != NULL) snprintf(words.text, sizeof words.text, "%s", line);
    posse_error error = done ? POSSE_OK : line != NULL ? POSSE_ERROR_FIT : POSSE_ERROR_MEMORY;
    problems_close(&found);
    Py_DECREF(bytes);
    return prior_answer(error, prior, &words);
}

PyObject *prior_fit(PyObject *self, PyObject *arguments) {
    (void)self;
    posse_fit how = posse_default_fit();
    first_words words = {""};
    posse_host host = {.log = {prior_hear, &words}};
    PyObject *bytes;
    int plays;
    unsigned long long seed;
    posse_prior *prior = NULL;
    posse_error error;
    if (!PyArg_ParseTuple(arguments, "O&sidKpsss", PyUnicode_FSConverter, &bytes, &how.kind, &how.components,
                          &how.noise, &seed, &plays, &how.task, &how.arm, &how.reward))
        return NULL;
    how.seed = seed;
    how.plays = plays != 0;
    const char *path = PyBytes_AsString(bytes);
    Py_BEGIN_ALLOW_THREADS;
    error = posse_prior_fit(path, &how, &host, &prior);
    Py_END_ALLOW_THREADS;
    Py_DECREF(bytes);
    return prior_answer(error, prior, &words);
}
