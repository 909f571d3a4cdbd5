/* SPDX-License-Identifier: MIT */
#include "python/src/errors.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/format.h"
#include "describe/trial.h"

void message_log_take(message_log *log, const posse_place *place, const char *message) {
    pool *memory = log->found.memory;
    location where =
        log->is_part ? trial_locate_inside(log->root, place, memory) : trial_locate(log->root, place, memory);
    problem_at(&log->found, where, "%s", message);
}

/* The name of an error's exception in posse.errors. */
static const char *name_of(posse_error error) {
    switch (error) {
    case POSSE_ERROR_REWARD:
        return "RewardError";
    case POSSE_ERROR_UNKNOWN:
    case POSSE_ERROR_SETTLED:
    case POSSE_ERROR_UNTOLD:
        return "DecisionError";
    case POSSE_ERROR_LEARNER:
    case POSSE_ERROR_ARM:
        return "LearnerError";
    case POSSE_ERROR_DAMAGED:
    case POSSE_ERROR_VERSION:
        return "DamagedError";
    case POSSE_ERROR_ABSENT:
        return "AbsentError";
    case POSSE_ERROR_CONTEXT:
        return "ContextError";
    default:
        return "SpecificationError";
    }
}

/* A text of the library, which is UTF-8 unless it contains a name of the user that is not. */
static PyObject *text_of(const char *bytes) {
    return PyUnicode_DecodeUTF8(bytes, (Py_ssize_t)strlen(bytes), "replace");
}

/* Takes over both references. */
static void *errors_raise_class(PyObject *class, PyObject *error, const char *code) {
    PyObject *code_text = error != NULL ? PyUnicode_FromString(code) : NULL;
    if (code_text != NULL && PyObject_SetAttrString(error, "code", code_text) == 0) PyErr_SetObject(class, error);
    Py_XDECREF(code_text);
    Py_XDECREF(error);
    Py_XDECREF(class);
    return NULL;
}

void *errors_raise_named(const char *name, const char *code, const char *message) {
    PyObject *class = module_import("posse.errors", name), *text = class != NULL ? text_of(message) : NULL;
    PyObject *error = text != NULL ? PyObject_CallFunctionObjArgs(class, text, NULL) : NULL;
    Py_XDECREF(text);
    return errors_raise_class(class, error, code);
}

/* -------------------------------------------------- problems ----------------------------------------------------- */

/* A posse.errors.Problem. */
static PyObject *problem_object(PyObject *class, const problem *one, pool *memory, PyObject *file) {
    const char *text = problem_text(one, file != NULL, memory);
    if (text == NULL) return PyErr_NoMemory();
    PyObject *fields = Py_BuildValue("{sNsNsisisO}", "path", text_of(one->path), "label",
                                     text_of(one->label != NULL ? one->label : ""), "line", one->at.line, "column",
                                     one->at.column, "file", file != NULL ? file : Py_None);
    PyObject *arguments = fields != NULL ? Py_BuildValue("(N)", text_of(text)) : NULL;
    PyObject *made = arguments != NULL ? PyObject_Call(class, arguments, fields) : NULL;
    Py_XDECREF(arguments);
    Py_XDECREF(fields);
    return made;
}

static bool append_problem(PyObject *list, PyObject *class, const problem *one, pool *memory, PyObject *file) {
    PyObject *made = problem_object(class, one, memory, file);
    bool ok = made != NULL && PyList_Append(list, made) == 0;
    Py_XDECREF(made);
    return ok;
}

/* A tuple of all problems, in their order. */
static PyObject *problem_tuple(problems *found, PyObject *file) {
    PyObject *class = module_import("posse.errors", "Problem"), *list = class != NULL ? PyList_New(0) : NULL;
    bool ok = list != NULL;
    problems_sort(found);
    for (size_t i = 0; ok && i < problems_kept(found); i++)
        ok = append_problem(list, class, &found->list[i], found->memory, file);
    if (ok && found->count > PROBLEMS_MAX) {
        char text[60];
        snprintf(text, sizeof text, "and %zu more problems", found->count - PROBLEMS_MAX);
        ok = append_problem(list, class, &(problem){.path = "", .text = text}, found->memory, file);
    }
    PyObject *tuple = ok ? PyList_AsTuple(list) : NULL;
    Py_XDECREF(list);
    Py_XDECREF(class);
    return tuple;
}

static void *raise_problems(const char *name, problems *found, PyObject *file, const char *code) {
    PyObject *told = problem_tuple(found, file);
    PyObject *class = told != NULL ? module_import("posse.errors", name) : NULL;
    PyObject *error = class != NULL ? PyObject_CallObject(class, told) : NULL;
    Py_XDECREF(told);
    return errors_raise_class(class, error, code);
}

void *errors_raise_problems(problems *found, PyObject *file) {
    return raise_problems("SpecificationError", found, file, "");
}

#define MESSAGE_BYTES 300

/* Raises an exception with one problem. */
static void *raise_problem(const char *name, const char *code, const char *path, const char *message) {
    problems found;
    problems_open(&found, NULL);
    problem_at(&found, (location){.below = path}, "%s", message);
    if (problems_failed(&found))
        PyErr_NoMemory();
    else
        raise_problems(name, &found, NULL, code);
    problems_close(&found);
    return NULL;
}

void *errors_raise_argument(const char *path, const char *format, ...) {
    char message[MESSAGE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    format_text_list(message, sizeof message, format, arguments);
    va_end(arguments);
    return raise_problem("SpecificationError", "", path, message);
}

void *errors_raise_context(const char *path, const char *format, ...) {
    char message[MESSAGE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    format_text_list(message, sizeof message, format, arguments);
    va_end(arguments);
    return raise_problem("ContextError", posse_error_name(POSSE_ERROR_CONTEXT), path, message);
}

void *errors_raise_memory(const problems *found) {
    if (problems_kept(found) == 0) return PyErr_NoMemory();
    return PyErr_Format(PyExc_MemoryError, "%s: %s", found->list[0].path, found->list[0].text);
}

/* The first message with its place, for errors that are not about a specification. */
static const char *first_message(message_log *log) {
    const problem *one = &log->found.list[0];
    const char *line = *one->path != '\0' ? pool_format(log->found.memory, "%s: %s", one->path, one->text) : NULL;
    return line != NULL ? line : one->text;
}

void *errors_raise(posse_error error, message_log *log) {
    const char *name = name_of(error), *code = posse_error_name(error);
    bool told = log != NULL && log->found.count > 0;
    if (error == POSSE_ERROR_MEMORY || (log != NULL && problems_failed(&log->found))) return PyErr_NoMemory();
    if (told && strcmp(name, "SpecificationError") == 0) return raise_problems(name, &log->found, NULL, code);
    return errors_raise_named(name, code, told ? first_message(log) : posse_error_text(error));
}

void *errors_raise_told(posse_error error, const char *told) {
    return errors_raise_named(name_of(error), posse_error_name(error), told);
}

void *errors_raise_absent(posse_error error, const char *what, PyObject *given) {
    PyObject *text = PyUnicode_FromFormat("%s %R", what, given);
    const char *told = text != NULL ? PyUnicode_AsUTF8AndSize(text, NULL) : NULL;
    if (told != NULL) errors_raise_told(error, told);
    Py_XDECREF(text);
    return NULL;
}
