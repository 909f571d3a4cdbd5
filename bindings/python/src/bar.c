/* SPDX-License-Identifier: MIT */
/*
 * The program's progress line, where standard error is a terminal.
 */
#include <stdio.h>

#include "cli/progress_bar.h"
#include "python/src/module_state.h"

typedef struct bar {
    PyObject head;
    progress_bar line;
    char name[101];
} bar;

static PyObject *new_bar(PyTypeObject *type, PyObject *arguments, PyObject *keywords) {
    (void)keywords;
    const char *name;
    if (!PyArg_ParseTuple(arguments, "s", &name)) return NULL;
    bar *b = module_allocate(type, 0);
    if (b == NULL) return NULL;
    snprintf(b->name, sizeof b->name, "%s", name);
    progress_bar_open(&b->line, b->name, false);
    return (PyObject *)b;
}

static PyObject *bar_show(PyObject *self, PyObject *arguments) {
    unsigned long long rounds, total;
    if (!PyArg_ParseTuple(arguments, "KK", &rounds, &total)) return NULL;
    progress_bar_show(&((bar *)self)->line, rounds, total);
    return Py_NewRef(Py_None);
}

static PyObject *close_(PyObject *self, PyObject *unused) {
    (void)unused;
    progress_bar_close(&((bar *)self)->line);
    return Py_NewRef(Py_None);
}

PyTypeObject *bar_type(void) {
    static PyMethodDef methods[] = {{"show", bar_show, METH_VARARGS, "Shows how many of all rounds are done."},
                                    {"close", close_, METH_NOARGS, "Wipes the line."},
                                    {NULL, NULL, 0, NULL}};
    static PyType_Slot slots[] = {{Py_tp_new, new_bar},
                                  {Py_tp_dealloc, module_free},
                                  {Py_tp_methods, methods},
                                  {Py_tp_doc, "The program's progress line; nothing where there is no terminal."},
                                  {0, NULL}};
    static PyType_Spec spec = {"posse._posse._Bar", sizeof(bar), 0, Py_TPFLAGS_DEFAULT, slots};
    return (PyTypeObject *)PyType_FromSpec(&spec);
}
