/* SPDX-License-Identifier: MIT */
#include "python/src/argument.h"

#include "posse_inside.h"
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

/* Numbers in contiguous memory. False with an exception set. */
static bool argument_take_reals(PyObject *value, Py_buffer *buffer) {
    PyObject *array = PyObject_CallFunction(module.contiguous, "Os", value, "d");
    bool taken = array != NULL && PyObject_GetBuffer(array, buffer, PyBUF_C_CONTIGUOUS) == 0;
    Py_XDECREF(array);
    return taken;
}

/* Whether `arms` or `dim`, if it was given (not 0), is the size that the points have. */
static bool argument_agrees(const char *name, int said, Py_ssize_t is) {
    if (said == 0 || said == is) return true;
    errors_raise_argument("points", "%s is %d, but these have %zd", name, said, is);
    return false;
}

bool argument_points(PyObject *points, Py_buffer *buffer, posse_def *def) {
    if (!argument_take_reals(points, buffer)) return false;
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

static bool open_point(argument_play *play, int dim, PyObject *value) {
    if (!argument_take_reals(value, &play->buffer)) return false;
    play->arm = -1;
    play->point = play->buffer.buf;
    Py_ssize_t numbers = play->buffer.len / (Py_ssize_t)sizeof(double);
    if (numbers == dim) return true;
    PyErr_Format(PyExc_ValueError, "a point of this ball has %d numbers, not %zd", dim, numbers);
    argument_play_close(play);
    return false;
}

/* A number that is too large for the C type is cut to its limit, which is no arm either. */
bool argument_play_open(argument_play *play, const application *a, PyObject *value) {
    *play = (argument_play){0};
    int arms = posse_arm_count(a->posse), dim = posse_dim(a->posse);
    if (arms == 0 && dim > 0) return open_point(play, dim, value);
    Py_ssize_t arm = PyNumber_AsSsize_t(value, NULL);
    play->arm = arm > INT_MAX ? INT_MAX : arm < INT_MIN ? INT_MIN : (int)arm; /* the library refuses a wrong one */
    return !PyErr_Occurred();
}

void argument_play_close(argument_play *play) {
    if (play->point != NULL) PyBuffer_Release(&play->buffer);
}
