/* SPDX-License-Identifier: MIT */
#include "python/src/module_state.h"

module_state module;

void *module_allocate(PyTypeObject *type, Py_ssize_t items) {
    static allocfunc allocate; /* PyType_GenericAlloc, which all types here have in this slot */
    if (allocate == NULL) allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    return allocate(type, items);
}

void module_free(void *object) {
    PyTypeObject *type = Py_TYPE((PyObject *)object);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(object);
    Py_DECREF(type);
}

PyObject *module_import(const char *from, const char *name) {
    PyObject *found = PyImport_ImportModule(from);
    PyObject *attribute = found != NULL ? PyObject_GetAttrString(found, name) : NULL;
    Py_XDECREF(found);
    return attribute;
}
