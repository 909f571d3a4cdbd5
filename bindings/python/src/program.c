/* SPDX-License-Identifier: MIT */
#include "python/src/program.h"

#include <signal.h>
#include <stdlib.h>

#include "base/format.h"

int posse_program_main(int argc, char **argv); /* this is main of app/cli/main.c, renamed */

/*
 * Signals get their default effect, as in the program, because Python has changed that of some. The thread that prints
 * has the locale "C", which the program never leaves, because the application may have changed that of the process.
 */
static int program_run(int argc, char **argv) {
    signal(SIGINT, SIG_DFL);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    format_locale l = format_enter();
    int status = posse_program_main(argc, argv);
    format_leave(l);
    return status;
}

/* The parser of the program may move its arguments and keep pointers to them, so they stay until the end. */
PyObject *program_main(PyObject *self, PyObject *arguments) {
    (void)self;
    Py_ssize_t count = PySequence_Size(arguments);
    if (count < 0) return NULL;
    char **argv = calloc((size_t)count + 1, sizeof *argv);
    if (argv == NULL) return PyErr_NoMemory();
    PyObject *keep = PyList_New(0);
    for (Py_ssize_t i = 0; i < count && keep != NULL; i++) {
        PyObject *word = PySequence_GetItem(arguments, i), *bytes = NULL;
        if (word == NULL || !PyUnicode_FSConverter(word, &bytes) || PyList_Append(keep, bytes) != 0) Py_CLEAR(keep);
        argv[i] = bytes != NULL ? PyBytes_AsString(bytes) : NULL;
        Py_XDECREF(bytes);
        Py_XDECREF(word);
    }
    PyObject *status = keep != NULL ? PyLong_FromLong(program_run((int)count, argv)) : NULL;
    Py_XDECREF(keep);
    free(argv);
    return status;
}
