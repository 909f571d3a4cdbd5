/* SPDX-License-Identifier: MIT */
#include "python/src/plain.h"

#include <math.h>
#include <string.h>

/* A list that is being read. */
typedef struct plain_list {
    pool *memory;
    PyObject *keeper;
    posse_feature *features;
    int count;
} plain_list;

static plain_outcome plain_fail(void) {
    PyErr_NoMemory();
    return PLAIN_FAILED;
}

/* The UTF-8 of a text without a zero in it, which is kept. */
static plain_outcome plain_text(plain_list *to, PyObject *text, const char **out) {
    Py_ssize_t length;
    *out = PyUnicode_CheckExact(text) ? PyUnicode_AsUTF8AndSize(text, &length) : NULL;
    if (*out == NULL) PyErr_Clear();
    if (*out == NULL || strlen(*out) != (size_t)length) return PLAIN_ODD;
    return PyList_Append(to->keeper, text) == 0 ? PLAIN_TAKEN : PLAIN_FAILED;
}

static plain_outcome plain_add_word(plain_list *to, const char *name, PyObject *word) {
    const char *text;
    plain_outcome outcome = plain_text(to, word, &text);
    if (outcome == PLAIN_TAKEN) to->features[to->count++] = (posse_feature){.name = name, .word = text};
    return outcome;
}

static plain_outcome plain_add_words(plain_list *to, const char *name, PyObject *words) {
    plain_outcome outcome = PLAIN_TAKEN;
    for (Py_ssize_t i = 0; outcome == PLAIN_TAKEN && i < PyList_Size(words); i++)
        outcome = plain_add_word(to, name, PyList_GetItem(words, i));
    return outcome;
}

static plain_outcome plain_add_number(plain_list *to, const char *name, PyObject *value) {
    double number = PyFloat_AsDouble(value);
    if (PyErr_Occurred()) PyErr_Clear(), number = NAN;
    if (!isfinite(number)) return PLAIN_ODD;
    to->features[to->count++] = (posse_feature){.name = name, .number = number};
    return PLAIN_TAKEN;
}

/* Adds a feature, for which there is room. None is a feature that is not known, and adds nothing. */
static plain_outcome plain_add(plain_list *to, const char *name, PyObject *value) {
    if (PyFloat_CheckExact(value) || PyLong_CheckExact(value)) return plain_add_number(to, name, value);
    if (PyUnicode_CheckExact(value)) return plain_add_word(to, name, value);
    if (value == Py_None) return PLAIN_TAKEN;
    if (PyList_CheckExact(value)) return plain_add_words(to, name, value);
    if (!PyBool_Check(value)) return PLAIN_ODD;
    to->features[to->count++] = (posse_feature){.name = name, .number = value == Py_True, .truth = true};
    return PLAIN_TAKEN;
}

/* The name of a feature: "age", or "user.age" in a namespace. */
static plain_outcome plain_name(plain_list *to, const char *space, PyObject *key, const char **out) {
    plain_outcome outcome = plain_text(to, key, out);
    if (outcome != PLAIN_TAKEN || space == NULL) return outcome;
    *out = pool_format(to->memory, "%s.%s", space, *out);
    return *out != NULL ? PLAIN_TAKEN : plain_fail();
}

static plain_outcome plain_add_all(plain_list *to, const char *space, PyObject *map) {
    plain_outcome outcome = PLAIN_TAKEN;
    PyObject *key, *value;
    for (Py_ssize_t at = 0; outcome == PLAIN_TAKEN && PyDict_Next(map, &at, &key, &value);) {
        const char *name;
        outcome = plain_name(to, space, key, &name);
        if (outcome != PLAIN_TAKEN) return outcome;
        if (!PyDict_CheckExact(value))
            outcome = plain_add(to, name, value);
        else
            outcome = space == NULL ? plain_add_all(to, name, value) : PLAIN_ODD;
    }
    return outcome;
}

/* How many features a dict has at most; deeper dicts are refused later. */
static size_t plain_measure(PyObject *map, bool inside) {
    size_t count = 0;
    PyObject *key, *value;
    for (Py_ssize_t at = 0; PyDict_Next(map, &at, &key, &value);) {
        if (PyList_CheckExact(value))
            count += (size_t)PyList_Size(value);
        else
            count += PyDict_CheckExact(value) && !inside ? plain_measure(value, true) : 1;
    }
    return count;
}

plain_outcome plain_read(pool *memory, PyObject *keeper, PyObject *map, posse_feature_list *out) {
    *out = (posse_feature_list){0};
    if (!PyDict_CheckExact(map)) return PLAIN_ODD;
    size_t most = plain_measure(map, false);
    plain_list to = {.memory = memory, .keeper = keeper};
    to.features = most < INT32_MAX ? pool_array(memory, most + 1, sizeof *to.features) : NULL;
    if (to.features == NULL) return plain_fail();
    plain_outcome outcome = plain_add_all(&to, NULL, map);
    *out = (posse_feature_list){to.count, to.features};
    return outcome;
}
