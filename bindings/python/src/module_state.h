/* SPDX-License-Identifier: MIT */
/*
 * What the files of the module share: its types, and what they borrow from Python. Filled when the module is imported;
 * there is one module per process.
 */
#ifndef MODULE_STATE_H
#define MODULE_STATE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdbool.h>

typedef struct module_state {
    PyTypeObject *application, *decision, *draw, *view, *outcome, *bar, *environment;
    PyObject *array;           /* of numpy: ndarray */
    PyObject *as_array;        /* of numpy: asarray */
    PyObject *deep_copy;       /* of copy: deepcopy */
    PyObject *random_bytes;    /* of os: urandom */
    PyObject *mapping;         /* of collections.abc: Mapping */
    PyObject *context, *round; /* of posse.contexts: Context, Round; NULL: not imported yet */
} module_state;

extern module_state module;

/* Each makes a type of the module. NULL with an exception set. */
PyTypeObject *application_type(void);
PyTypeObject *decision_type(void);
PyTypeObject *draw_type(void);
PyTypeObject *view_type(void);
PyTypeObject *outcome_type(void);
PyTypeObject *bar_type(void);
PyTypeObject *environment_type(void);

/* A new object of a type, all zero behind its head; `items` for those of variable size. */
void *module_allocate(PyTypeObject *type, Py_ssize_t items);

/* Frees an object, and releases its type. */
void module_free(void *object);

/* An attribute of a module, which is imported if necessary. */
PyObject *module_import(const char *from, const char *name);

#endif
