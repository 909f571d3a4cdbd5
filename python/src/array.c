#include "array.h"

typedef struct view {
    PyObject_HEAD PyObject *owner;
    array_shape shape;
    char format[2];
} view;

static int get_buffer(PyObject *self, Py_buffer *out, int flags) {
    view *v = (view *)self;
    out->obj = NULL;
    if ((flags & PyBUF_WRITABLE) == PyBUF_WRITABLE || (flags & PyBUF_STRIDES) != PyBUF_STRIDES) {
        PyErr_SetString(PyExc_BufferError, "results are read-only, and have strides");
        return -1;
    }
    Py_ssize_t count = 1;
    for (int i = 0; i < v->shape.axes; i++) count *= v->shape.sizes[i];
    *out = (Py_buffer){.buf = (void *)v->shape.data,
                       .obj = Py_NewRef(self),
                       .len = count * 8,
                       .itemsize = 8,
                       .readonly = 1,
                       .ndim = v->shape.axes,
                       .format = flags & PyBUF_FORMAT ? v->format : NULL,
                       .shape = v->shape.sizes,
                       .strides = v->shape.strides};
    return 0;
}

static void dealloc(PyObject *self) {
    Py_XDECREF(((view *)self)->owner);
    kit_free(self);
}

PyTypeObject *view_type(void) {
    static PyType_Slot slots[] = {{Py_tp_dealloc, dealloc},
                                  {Py_bf_getbuffer, get_buffer},
                                  {Py_tp_doc, "Memory that another object owns, for NumPy to look at."},
                                  {0, NULL}};
    static PyType_Spec spec = {"posse._posse.View", sizeof(view), 0,
                               Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
    return (PyTypeObject *)PyType_FromSpec(&spec);
}

PyObject *array_over(PyObject *owner, const array_shape *shape) {
    view *v = kit_allocate(the.view, 0);
    if (v == NULL) return NULL;
    v->owner = Py_NewRef(owner);
    v->shape = *shape;
    v->format[0] = shape->format;
    PyObject *array = PyObject_CallFunctionObjArgs(the.as_array, v, NULL);
    Py_DECREF(v);
    return array;
}

PyObject *array_new(size_t count, char format, void **data) {
    const char text[] = {format, '\0'};
    PyObject *bytes = PyByteArray_FromStringAndSize(NULL, (Py_ssize_t)(count * 8));
    if (bytes == NULL) return NULL;
    *data = PyByteArray_AsString(bytes);
    PyObject *array = PyObject_CallFunction(the.from_buffer, "Os", bytes, text);
    Py_DECREF(bytes);
    return array;
}
