#include "errors.h"

#include <stdio.h>
#include <string.h>

void hearing_take(hearing *h, const char *message) {
    int written = snprintf(h->text + h->length, sizeof h->text - h->length, "%s%s", h->length > 0 ? "\n" : "", message);
    h->length += (size_t)written;
    if (h->length >= sizeof h->text) h->length = sizeof h->text - 1;
}

/* What an error is called in posse.errors. */
static const char *name_of(posse_error error) {
    switch (error) {
    case POSSE_ERROR_REWARD:
        return "RewardError";
    case POSSE_ERROR_UNKNOWN:
    case POSSE_ERROR_SETTLED:
        return "DecisionError";
    case POSSE_ERROR_LEARNER:
    case POSSE_ERROR_ARM:
        return "LearnerError";
    case POSSE_ERROR_DAMAGED:
    case POSSE_ERROR_VERSION:
        return "DamagedError";
    case POSSE_ERROR_ABSENT:
        return "AbsentError";
    default:
        return "SpecificationError";
    }
}

/* A message may have been cut in the middle of a character. */
void *errors_raise_named(const char *name, const char *code, const char *message) {
    PyObject *class = kit_import("posse.errors", name), *text = NULL, *error = NULL, *code_text = NULL;
    if (class != NULL) text = PyUnicode_DecodeUTF8(message, (Py_ssize_t)strlen(message), "replace");
    if (text != NULL) error = PyObject_CallFunctionObjArgs(class, text, NULL);
    if (error != NULL) code_text = PyUnicode_FromString(code);
    if (code_text != NULL && PyObject_SetAttrString(error, "code", code_text) == 0) PyErr_SetObject(class, error);
    Py_XDECREF(code_text);
    Py_XDECREF(error);
    Py_XDECREF(text);
    Py_XDECREF(class);
    return NULL;
}

void *errors_raise(posse_error error, const hearing *h) {
    if (error == POSSE_ERROR_MEMORY) return PyErr_NoMemory();
    bool heard = h != NULL && h->length > 0;
    return errors_raise_named(name_of(error), posse_error_name(error), heard ? h->text : posse_error_text(error));
}
