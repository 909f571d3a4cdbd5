/* SPDX-License-Identifier: MIT */
#include "python/src/plain.h"

#include <math.h>
#include <string.h>

#define BLOCK 4096 /* features */
#define LEAST 16

static plain_outcome plain_fail(void) {
    PyErr_NoMemory();
    return PLAIN_FAILED;
}

/* ---------------------------------------------------- one feature ------------------------------------------------ */

plain_outcome plain_text(plain_list *to, PyObject *text, const char **out) {
    if (to->words != NULL) {
        *out = vocabulary_text(to->words, text);
        return *out != NULL ? PLAIN_TAKEN : PyErr_Occurred() ? PLAIN_FAILED : PLAIN_ODD;
    }
    Py_ssize_t length;
    *out = PyUnicode_CheckExact(text) ? PyUnicode_AsUTF8AndSize(text, &length) : NULL;
    if (*out == NULL) PyErr_Clear();
    if (*out == NULL || strlen(*out) != (size_t)length) return PLAIN_ODD;
    return PyList_Append(to->keeper, text) == 0 ? PLAIN_TAKEN : PLAIN_FAILED;
}

/* Lists of a batch are in blocks of many. A list that does not fit moves to the next block. */
static bool plain_make_room(plain_list *to) {
    size_t room = to->words != NULL ? BLOCK : LEAST;
    if (room < 2 * to->count) room = 2 * to->count;
    posse_feature *block = room < INT32_MAX ? pool_array(to->memory, room, sizeof *block) : NULL;
    if (block == NULL) return false;
    if (to->count > 0) memcpy(block, to->features, to->count * sizeof *block);
    to->features = block;
    to->room = room;
    return true;
}

plain_outcome plain_put(plain_list *to, posse_feature feature) {
    if (to->count == to->room && !plain_make_room(to)) return plain_fail();
    if (to->words != NULL) feature.ahead = vocabulary_place(to->words, feature.name, feature.word);
    to->features[to->count++] = feature;
    return feature.ahead >= 0 ? PLAIN_TAKEN : PLAIN_FAILED;
}

static plain_outcome plain_add_word(plain_list *to, const char *name, PyObject *word) {
    const char *text;
    plain_outcome outcome = plain_text(to, word, &text);
    return outcome == PLAIN_TAKEN ? plain_put(to, (posse_feature){.name = name, .word = text}) : outcome;
}

static plain_outcome plain_add_words(plain_list *to, const char *name, PyObject *words) {
    plain_outcome outcome = PLAIN_TAKEN;
    for (Py_ssize_t i = 0; outcome == PLAIN_TAKEN && i < PyList_Size(words); i++)
        outcome = plain_add_word(to, name, PyList_GetItem(words, i));
    return outcome;
}

static plain_outcome plain_add_number(plain_list *to, const char *name, PyObject *value) {
    double number = PyFloat_AsDouble(value);
    if (number == -1.0 && PyErr_Occurred()) PyErr_Clear(), number = NAN;
    if (!isfinite(number)) return PLAIN_ODD;
    return plain_put(to, (posse_feature){.name = name, .number = number});
}

/* None is a feature that is not known, and adds nothing. */
static plain_outcome plain_add_simple(plain_list *to, const char *name, PyObject *value) {
    if (PyFloat_CheckExact(value) || PyLong_CheckExact(value)) return plain_add_number(to, name, value);
    if (PyUnicode_CheckExact(value)) return plain_add_word(to, name, value);
    if (value == Py_None) return PLAIN_TAKEN;
    if (PyList_CheckExact(value)) return plain_add_words(to, name, value);
    if (!PyBool_Check(value)) return PLAIN_ODD;
    return plain_put(to, (posse_feature){.name = name, .number = value == Py_True, .truth = true});
}

/* ------------------------------------------------------ a dict --------------------------------------------------- */

/* The name of a feature in a namespace, "user.age". */
static plain_outcome plain_join(plain_list *to, const char *space, const char **name) {
    if (to->words != NULL) {
        *name = vocabulary_join(to->words, space, *name);
        return *name != NULL ? PLAIN_TAKEN : PLAIN_FAILED;
    }
    *name = pool_format(to->memory, "%s.%s", space, *name);
    return *name != NULL ? PLAIN_TAKEN : plain_fail();
}

static plain_outcome plain_add_space(plain_list *to, const char *space, PyObject *map) {
    plain_outcome outcome = PLAIN_TAKEN;
    PyObject *key, *value;
    for (Py_ssize_t at = 0; outcome == PLAIN_TAKEN && PyDict_Next(map, &at, &key, &value);) {
        const char *name;
        outcome = plain_text(to, key, &name);
        if (outcome == PLAIN_TAKEN) outcome = plain_join(to, space, &name);
        if (outcome == PLAIN_TAKEN) outcome = plain_add_simple(to, name, value);
    }
    return outcome;
}

plain_outcome plain_add(plain_list *to, const char *name, PyObject *value) {
    return PyDict_CheckExact(value) ? plain_add_space(to, name, value) : plain_add_simple(to, name, value);
}

plain_outcome plain_add_all(plain_list *to, PyObject *map) {
    plain_outcome outcome = PLAIN_TAKEN;
    PyObject *key, *value;
    for (Py_ssize_t at = 0; outcome == PLAIN_TAKEN && PyDict_Next(map, &at, &key, &value);) {
        const char *name;
        outcome = plain_text(to, key, &name);
        if (outcome == PLAIN_TAKEN) outcome = plain_add(to, name, value);
    }
    return outcome;
}

posse_feature_list plain_end(plain_list *to) {
    posse_feature_list list = {(int)to->count, to->features};
    to->features += to->count;
    to->room -= to->count;
    to->count = 0;
    return list;
}

plain_outcome plain_read(plain_list *to, PyObject *map, posse_feature_list *out) {
    *out = (posse_feature_list){0};
    if (!PyDict_CheckExact(map)) return PLAIN_ODD;
    to->count = 0;
    plain_outcome outcome = plain_add_all(to, map);
    if (outcome == PLAIN_TAKEN) *out = plain_end(to);
    return outcome;
}

PyObject *plain_unbox(PyObject *features, size_t round, PyObject *arm) {
    PyObject *call = module_import("posse.batches", "plain_features");
    PyObject *plain = NULL;
    if (call != NULL)
        plain = PyObject_CallFunction(call, "OnO", features, (Py_ssize_t)round, arm != NULL ? arm : Py_None);
    Py_XDECREF(call);
    return plain;
}
