/* SPDX-License-Identifier: MIT */
#include "python/src/array.h"

#include <string.h>

#include <stdlib.h>

typedef struct view {
    PyObject head;
    PyObject *owner; /* of the numbers; NULL: the view itself */
    void *memory;    /* of a view that owns its numbers, which may be written to */
    array_shape shape;
    char format[2];
} view;

static int get_buffer(PyObject *self, Py_buffer *out, int flags) {
    view *v = (view *)self;
    out->obj = NULL;
    bool readonly = v->memory == NULL;
    if ((readonly && (flags & PyBUF_WRITABLE) == PyBUF_WRITABLE) || (flags & PyBUF_STRIDES) != PyBUF_STRIDES) {
        PyErr_SetString(PyExc_BufferError, "results are read-only, and have strides");
        return -1;
    }
    Py_ssize_t count = 1;
    for (int i = 0; i < v->shape.axes; i++) count *= v->shape.sizes[i];
    *out = (Py_buffer){.buf = (void *)v->shape.data,
                       .obj = Py_NewRef(self),
                       .len = count * 8,
                       .itemsize = 8,
                       .readonly = readonly,
                       .ndim = v->shape.axes,
                       .format = flags & PyBUF_FORMAT ? v->format : NULL,
                       .shape = v->shape.sizes,
                       .strides = v->shape.strides};
    return 0;
}

static void array_dealloc(PyObject *self) {
    Py_XDECREF(((view *)self)->owner);
    free(((view *)self)->memory);
    module_free(self);
}

PyTypeObject *view_type(void) {
    static PyType_Slot slots[] = {{Py_tp_dealloc, array_dealloc},
                                  {Py_bf_getbuffer, get_buffer},
                                  {Py_tp_doc, "Memory that another object owns, for NumPy to look at."},
                                  {0, NULL}};
    static PyType_Spec spec = {"posse._posse._View", sizeof(view), 0,
                               Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
    return (PyTypeObject *)PyType_FromSpec(&spec);
}

static PyObject *array_of(view *v, const array_shape *shape) {
    v->shape = *shape;
    v->format[0] = shape->format;
    PyObject *array = PyObject_CallFunctionObjArgs(module.as_array, v, NULL);
    Py_DECREF(v);
    return array;
}

PyObject *array_over(PyObject *owner, const array_shape *shape) {
    view *v = module_allocate(module.view, 0);
    if (v == NULL) return NULL;
    v->owner = Py_NewRef(owner);
    return array_of(v, shape);
}

/* A view with memory for `count` numbers. */
static view *own_view(size_t count) {
    view *v = module_allocate(module.view, 0);
    if (v == NULL) return NULL;
    v->memory = calloc(count > 0 ? count : 1, 8);
    if (v->memory != NULL) return v;
    Py_DECREF(v);
    return (view *)PyErr_NoMemory();
}

PyObject *array_new(size_t count, char format, void **data) {
    view *v = own_view(count);
    if (v == NULL) return NULL;
    *data = v->memory;
    return array_of(
        v,
        &(array_shape){.data = v->memory, .format = format, .axes = 1, .sizes = {(Py_ssize_t)count}, .strides = {8}});
}

PyObject *array_rows(const double *numbers, size_t rows, size_t columns, bool same) {
    size_t count = same ? columns : rows * columns;
    view *v = own_view(count);
    if (v == NULL) return NULL;
    memcpy(v->memory, numbers, count * sizeof *numbers);
    return array_of(v, &(array_shape){.data = v->memory,
                                      .format = 'd',
                                      .axes = 2,
                                      .sizes = {(Py_ssize_t)rows, (Py_ssize_t)columns},
                                      .strides = {same ? 0 : (Py_ssize_t)columns * 8, 8}});
}

PyObject *array_copy(const void *numbers, size_t count, char format) {
    void *data;
    PyObject *array = array_new(count, format, &data);
    if (array != NULL) memcpy(data, numbers, count * 8);
    return array;
}

/* Whether it is an array that may mean more than its memory holds, as subclasses of NumPy's array do. */
static bool array_is_special(PyObject *value) {
    PyTypeObject *array = (PyTypeObject *)module.array;
    return Py_TYPE(value) != array && PyObject_TypeCheck(value, array);
}

static bool is_format(const Py_buffer *b, const char *formats) {
    return b->format != NULL && b->format[0] != '\0' && b->format[1] == '\0' && strchr(formats, b->format[0]) != NULL &&
           b->itemsize == 8;
}

bool array_borrow(PyObject *value, const char *formats, Py_buffer *out) {
    if (!PyObject_CheckBuffer(value) || array_is_special(value)) return false;
    if (PyObject_GetBuffer(value, out, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT) != 0) {
        PyErr_Clear();
        return false;
    }
    if (is_format(out, formats)) return true;
    PyBuffer_Release(out);
    return false;
}

bool array_borrow_from(PyObject *array, const char *formats, Py_buffer *out) {
    bool taken = array != NULL && array_borrow(array, formats, out);
    if (array != NULL && !taken && !PyErr_Occurred()) PyErr_SetString(PyExc_BufferError, "numpy has no such array");
    Py_XDECREF(array);
    return taken;
}

PyObject *array_convert(const char *function, PyObject *value, const char *name) {
    PyObject *call = module_import("posse.contexts", function);
    PyObject *array = NULL;
    /* A single "O" would take the entries of a tuple for the arguments. */
    if (call != NULL) array = PyObject_CallFunction(call, name != NULL ? "Os" : "(O)", value, name);
    Py_XDECREF(call);
    return array;
}

bool array_check(const char *function, PyObject *value, const char *name) {
    if (!array_is_special(value)) return true;
    PyObject *checked = array_convert(function, value, name);
    Py_XDECREF(checked);
    return checked != NULL;
}

bool array_take_reals(PyObject *value, const char *name, Py_buffer *out) {
    return array_borrow(value, "d", out) || array_borrow_from(array_convert("reals", value, name), "d", out);
}
