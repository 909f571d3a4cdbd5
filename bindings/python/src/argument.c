/* SPDX-License-Identifier: MIT */
#include "python/src/argument.h"

#include <string.h>

#include "posse_inside.h"
#include "python/src/array.h"
#include "python/src/errors.h"

bool argument_whole(const char *name, PyObject *value, uint64_t least, uint64_t most, uint64_t *out) {
    if (value == NULL) return true;
    PyObject *whole = PyNumber_Index(value);
    if (whole == NULL) return false;
    uint64_t number = PyLong_AsUnsignedLongLong(whole);
    Py_DECREF(whole);
    if (!PyErr_Occurred() && number >= least && number <= most) {
        *out = number;
        return true;
    }
    PyErr_Clear();
    errors_raise_argument(name, "must be a whole number from %llu to %llu", (unsigned long long)least,
                          (unsigned long long)most);
    return false;
}

/* Whether `arms` or `dim`, if it was given (not 0), is the size that the points have. */
static bool argument_agrees(const char *name, int said, Py_ssize_t is) {
    if (said == 0 || said == is) return true;
    errors_raise_argument("points", "%s is %d, but these have %zd", name, said, is);
    return false;
}

bool argument_points(PyObject *points, Py_buffer *buffer, posse_def *def) {
    if (!array_take_reals(points, "points", buffer)) return false;
    bool flat = buffer->ndim == 2 && buffer->shape[0] <= INT32_MAX && buffer->shape[1] <= INT32_MAX;
    if (!flat) errors_raise_argument("points", "must be an array, arms x dim");
    if (!flat || !argument_agrees("arms", def->arms, buffer->shape[0]) ||
        !argument_agrees("dim", def->dim, buffer->shape[1])) {
        PyBuffer_Release(buffer);
        return false;
    }
    def->arms = (int)buffer->shape[0];
    def->dim = (int)buffer->shape[1];
    def->points = buffer->buf;
    return true;
}

bool argument_are_names(PyObject *arms) {
    bool list = arms != NULL && !PyUnicode_Check(arms) && !PyLong_Check(arms) && PySequence_Check(arms) &&
                PySequence_Size(arms) >= 0;
    if (arms != NULL) PyErr_Clear(); /* an array of NumPy without dimensions is a sequence without a size */
    return list;
}

PyObject *argument_names(PyObject *arms, posse_def *def) {
    PyObject *list = PySequence_List(arms);
    Py_ssize_t count = list != NULL ? PyList_Size(list) : 0;
    const char **names = list != NULL ? PyMem_Calloc((size_t)count + 1, sizeof *names) : NULL;
    bool right = names != NULL && count > 0;
    if (list != NULL && names != NULL && count == 0) errors_raise_argument("arms", "the list of names is empty");
    for (Py_ssize_t i = 0; right && i < count; i++) {
        Py_ssize_t length;
        PyObject *name = PyList_GetItem(list, i);
        if (!PyUnicode_Check(name)) {
            errors_raise_argument("arms", "must be a number, or a list of names; entry %zd is no text", i);
            right = false;
            continue;
        }
        names[i] = PyUnicode_AsUTF8AndSize(name, &length);
        right = names[i] != NULL && strlen(names[i]) == (size_t)length;
        if (names[i] != NULL && !right) errors_raise_argument("arms", "the name of arm %zd has a zero in it", i);
    }
    def->arms = (int)count;
    def->names = names;
    if (right) return list;
    if (list != NULL && names == NULL) PyErr_NoMemory();
    argument_names_close(list, def);
    return NULL;
}

void argument_names_close(PyObject *names, posse_def *def) {
    PyMem_Free((void *)def->names);
    Py_XDECREF(names);
    def->names = NULL;
}

const char *argument_name(PyObject *name) {
    Py_ssize_t length;
    const char *text = PyUnicode_AsUTF8AndSize(name, &length);
    if (text == NULL) PyErr_Clear();
    return text != NULL && strlen(text) == (size_t)length ? text : NULL;
}

int argument_find_arm(const application *a, PyObject *name) {
    const char *text = argument_name(name);
    return text != NULL ? posse_arm_find(a->posse, text) : -1;
}

int argument_join_arm(application *a, PyObject *name) {
    int arm = -1;
    const char *text = argument_name(name);
    if (text == NULL) {
        errors_raise(POSSE_ERROR_ARM, NULL);
        return -1;
    }
    if (!application_enter(a)) return -1;
    posse_error error = posse_arm_join(a->posse, text, &arm);
    bool ok = application_made_well(a, error, NULL);
    application_leave(a);
    return ok ? arm : -1;
}

static bool open_point(argument_play *play, int dim, PyObject *value) {
    if (!array_take_reals(value, "point", &play->buffer)) return false;
    play->arm = -1;
    play->point = play->buffer.buf;
    Py_ssize_t numbers = play->buffer.len / (Py_ssize_t)sizeof(double);
    if (numbers == dim) return true;
    PyErr_Format(PyExc_ValueError, "a point of this ball has %d numbers, not %zd", dim, numbers);
    argument_play_close(play);
    return false;
}

/* A number that is too large for the C type is cut to its limit, which is no arm either. */
bool argument_play_open(argument_play *play, application *a, PyObject *value) {
    *play = (argument_play){0};
    int arms = posse_arm_count(a->posse), dim = posse_dim(a->posse);
    if (arms == 0 && dim > 0) return open_point(play, dim, value);
    if (PyUnicode_Check(value)) {
        play->arm = argument_join_arm(a, value);
        return play->arm >= 0;
    }
    if (!array_check("unmasked_argument", value, "arm")) return false;
    Py_ssize_t arm = PyNumber_AsSsize_t(value, NULL);
    play->arm = arm > INT_MAX ? INT_MAX : arm < INT_MIN ? INT_MIN : (int)arm; /* the library refuses a wrong one */
    return !PyErr_Occurred();
}

void argument_play_close(argument_play *play) {
    if (play->point != NULL) PyBuffer_Release(&play->buffer);
}
