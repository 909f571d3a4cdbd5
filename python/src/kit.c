#include "kit.h"

kit the;

void *kit_allocate(PyTypeObject *type, Py_ssize_t items) {
    static allocfunc allocate; /* nobody's but PyType_GenericAlloc; the slot is how the limited API spells it */
    if (allocate == NULL) allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    return allocate(type, items);
}

void kit_free(void *object) {
    PyTypeObject *type = Py_TYPE((PyObject *)object);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(object);
    Py_DECREF(type);
}

PyObject *kit_import(const char *module, const char *name) {
    PyObject *found = PyImport_ImportModule(module);
    PyObject *attribute = found != NULL ? PyObject_GetAttrString(found, name) : NULL;
    Py_XDECREF(found);
    return attribute;
}
