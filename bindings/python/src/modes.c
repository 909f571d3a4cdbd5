/* SPDX-License-Identifier: MIT */
#include "python/src/modes.h"

#include <stdlib.h>

#include "common/json_text.h"
#include "describe/modes_text.h"
#include "python/src/errors.h"

/* Calls a function of Python's module json with a text, or with an object and no NaN. */
static PyObject *modes_convert(const char *function, const char *format, const void *value) {
    PyObject *json = PyImport_ImportModule("json");
    PyObject *made = json != NULL ? PyObject_CallMethod(json, function, format, value) : NULL;
    Py_XDECREF(json);
    return made;
}

PyObject *modes_get(PyObject *self, void *unused) {
    (void)unused;
    application *a = (application *)self;
    if (!application_enter(a)) return NULL;
    json_t *all = modes_json(a->posse);
    application_leave(a);
    char *text = json_text(all, JSON_TEXT_COMPACT);
    json_decref(all);
    PyObject *made = text != NULL ? modes_convert("loads", "s", text) : PyErr_NoMemory();
    free(text);
    return made;
}

PyObject *modes_get_units(PyObject *self, void *unused) {
    (void)unused;
    return PyLong_FromSize_t(posse_unit_count(((application *)self)->posse));
}

/* The keywords as JSON, which is what servers get, too. NULL with an exception set. */
static json_t *modes_said(PyObject *keywords) {
    Py_ssize_t length;
    PyObject *text = modes_convert("dumps", "O", keywords);
    const char *bytes = text != NULL ? PyUnicode_AsUTF8AndSize(text, &length) : NULL;
    json_t *said = bytes != NULL ? json_read_own(bytes) : NULL;
    if (bytes != NULL && said == NULL) errors_raise_argument("modes", "must be numbers, texts, True, False or None");
    Py_XDECREF(text);
    return said;
}

PyObject *modes_set(PyObject *self, PyObject *arguments, PyObject *keywords) {
    application *a = (application *)self;
    modes_problem why;
    if (PyTuple_Size(arguments) > 0) {
        PyErr_SetString(PyExc_TypeError, "set_modes() takes modes by name");
        return NULL;
    }
    json_t *said = keywords != NULL ? modes_said(keywords) : json_object();
    if (said == NULL) return NULL;
    if (!application_enter(a)) {
        json_decref(said);
        return NULL;
    }
    posse_modes wanted = posse_modes_of(a->posse);
    bool right = modes_text_read(said, a->posse, &wanted, &why);
    json_decref(said);
    if (right) {
        posse_error error = posse_set_modes(a->posse, &wanted);
        if (error != POSSE_OK && error != POSSE_ERROR_MEMORY && a->told[0] != '\0') {
            errors_raise_argument(a->place, "%s", a->told);
            application_leave(a);
            return NULL;
        }
        return application_settle(a, error);
    }
    errors_raise_argument(why.path, "%s", why.text);
    application_leave(a);
    return NULL;
}

PyObject *modes_forget_unit(PyObject *self, PyObject *unit) {
    application *a = (application *)self;
    Py_ssize_t length;
    const char *text = PyUnicode_AsUTF8AndSize(unit, &length);
    if (text == NULL || !application_enter(a)) return NULL;
    bool known = posse_unit_forget(a->posse, text, (size_t)length);
    application_leave(a);
    return PyBool_FromLong(known);
}
