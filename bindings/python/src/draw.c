/* SPDX-License-Identifier: MIT */
#include "python/src/draw.h"

#include <math.h>

#include "python/src/array.h"

typedef struct draw_object {
    PyObject head;
    posse_draw *draw; /* NULL: not lent */
} draw_object;

PyObject *draw_new(void) {
    return module_allocate(module.draw, 0);
}

void draw_lend(PyObject *self, posse_draw *draw) {
    ((draw_object *)self)->draw = draw;
}

static posse_draw *draw_lent(PyObject *self) {
    posse_draw *draw = ((draw_object *)self)->draw;
    if (draw == NULL) PyErr_SetString(PyExc_RuntimeError, "a draw is valid only during the call it was given to");
    return draw;
}

static PyObject *draw_uniform(PyObject *self, PyObject *unused) {
    (void)unused;
    posse_draw *draw = draw_lent(self);
    return draw != NULL ? PyFloat_FromDouble(posse_draw_uniform(draw)) : NULL;
}

static PyObject *draw_one_normal(PyObject *self, PyObject *unused) {
    (void)unused;
    posse_draw *draw = draw_lent(self);
    return draw != NULL ? PyFloat_FromDouble(posse_draw_normal(draw)) : NULL;
}

static PyObject *draw_some_normals(PyObject *self, PyObject *count_) {
    Py_ssize_t count = PyNumber_AsSsize_t(count_, PyExc_OverflowError);
    if (count == -1 && PyErr_Occurred()) return NULL;
    if (count < 0) return PyErr_Format(PyExc_ValueError, "%zd normals", count);
    void *numbers;
    PyObject *array = array_new((size_t)count, 'd', &numbers);
    posse_draw *draw = draw_lent(self);
    if (array == NULL || draw == NULL) {
        Py_XDECREF(array);
        return NULL;
    }
    posse_draw_normals(draw, numbers, (size_t)count);
    return array;
}

static bool is_shape(double x) {
    if (x > 0.0 && isfinite(x)) return true;
    if (!PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "a shape must be a finite number above 0");
    return false;
}

static PyObject *gamma_(PyObject *self, PyObject *shape_) {
    double shape = PyFloat_AsDouble(shape_);
    if (!is_shape(shape)) return NULL;
    posse_draw *draw = draw_lent(self);
    return draw != NULL ? PyFloat_FromDouble(posse_draw_gamma(draw, shape)) : NULL;
}

static PyObject *draw_beta(PyObject *self, PyObject *arguments) {
    double a, b;
    if (!PyArg_ParseTuple(arguments, "dd:beta", &a, &b) || !is_shape(a) || !is_shape(b)) return NULL;
    posse_draw *draw = draw_lent(self);
    return draw != NULL ? PyFloat_FromDouble(posse_draw_beta(draw, a, b)) : NULL;
}

static PyObject *index_(PyObject *self, PyObject *count_) {
    Py_ssize_t count = PyNumber_AsSsize_t(count_, PyExc_OverflowError);
    if (count == -1 && PyErr_Occurred()) return NULL;
    if (count < 1) return PyErr_Format(PyExc_ValueError, "there is no index below %zd", count);
    posse_draw *draw = draw_lent(self);
    return draw != NULL ? PyLong_FromUnsignedLongLong(posse_draw_index(draw, (uint64_t)count)) : NULL;
}

static bool are_weights(const double *weights, size_t count) {
    double sum = 0.0;
    bool ok = true;
    for (size_t i = 0; i < count; i++) {
        ok = ok && weights[i] >= 0.0;
        sum += weights[i];
    }
    if (ok && sum > 0.0 && isfinite(sum)) return true;
    PyErr_SetString(PyExc_ValueError, "weights must be at least 0, not all 0, and their sum finite");
    return false;
}

static PyObject *draw_weighted(PyObject *self, PyObject *weights) {
    Py_buffer buffer;
    if (!array_take_reals(weights, "weights", &buffer)) return NULL;
    PyObject *chosen = NULL;
    size_t count = (size_t)buffer.len / sizeof(double);
    posse_draw *draw = are_weights(buffer.buf, count) ? draw_lent(self) : NULL;
    if (draw != NULL) chosen = PyLong_FromSize_t(posse_draw_weighted(draw, buffer.buf, count));
    PyBuffer_Release(&buffer);
    return chosen;
}

PyTypeObject *draw_type(void) {
    static PyMethodDef methods[] = {
        {"uniform", draw_uniform, METH_NOARGS, "uniform()\n--\n\nIn (0, 1), never 0 or 1."},
        {"normal", draw_one_normal, METH_NOARGS, "normal()\n--\n\nMean 0, standard deviation 1."},
        {"normals", draw_some_normals, METH_O, "normals(count, /)\n--\n\nAn array of `count` normals."},
        {"gamma", gamma_, METH_O, "gamma(shape, /)\n--\n\nScale 1; shape > 0."},
        {"beta", draw_beta, METH_VARARGS, "beta(a, b, /)\n--\n\na, b > 0."},
        {"index", index_, METH_O, "index(count, /)\n--\n\n0 to count - 1, equally likely."},
        {"weighted", draw_weighted, METH_O,
         "weighted(weights, /)\n--\n\nA place in weights >= 0, in proportion to them."},
        {NULL, NULL, 0, NULL}};
    static PyType_Slot slots[] = {
        {Py_tp_dealloc, module_free},
        {Py_tp_methods, methods},
        {Py_tp_doc,
         "A source of randomness that belongs to one learner; valid only during the call it was given to.\n\n"
         "The n-th draw is a pure function of seed, run, the learner's name and n."},
        {0, NULL}};
    static PyType_Spec spec = {"posse.Draw", sizeof(draw_object), 0,
                               Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
    return (PyTypeObject *)PyType_FromSpec(&spec);
}
