/* SPDX-License-Identifier: MIT */
#include "python/src/kinds.h"

#include <math.h>

#include "posse_kinds.h"

static const char *type_name(posse_type type) {
    static const char *const names[] = {
        [POSSE_TYPE_REAL] = "real", [POSSE_TYPE_COUNT] = "count", [POSSE_TYPE_FLAG] = "flag",
        [POSSE_TYPE_WORD] = "word", [POSSE_TYPE_REALS] = "reals", [POSSE_TYPE_TABLE] = "table",
        [POSSE_TYPE_PART] = "part", [POSSE_TYPE_PARTS] = "parts", [POSSE_TYPE_RANGE] = "range",
        [POSSE_TYPE_TEXT] = "text", [POSSE_TYPE_NAMES] = "names"};
    return names[type];
}

static PyObject *whole_or_real(double x) {
    return x == floor(x) ? PyLong_FromDouble(x) : PyFloat_FromDouble(x);
}

static PyObject *kinds_default_of(const posse_param *p) {
    posse_option o;
    if (!posse_param_default(p, &o)) return Py_NewRef(Py_None);
    if (o.word != NULL) return PyUnicode_FromString(o.word);
    if (o.list != NULL) return Py_BuildValue("[NN]", whole_or_real(o.list[0]), whole_or_real(o.list[1]));
    if (p->type == POSSE_TYPE_FLAG) return PyBool_FromLong(o.number != 0.0);
    return p->type == POSSE_TYPE_COUNT ? PyLong_FromDouble(o.number) : PyFloat_FromDouble(o.number);
}

static PyObject *kinds_flag(bool set) {
    return PyBool_FromLong(set);
}

/* A parameter whose bounds are both 0 has none. */
static PyObject *bound_of(const posse_param *p, double bound) {
    return p->low == 0.0 && p->high == 0.0 ? Py_NewRef(Py_None) : PyFloat_FromDouble(bound);
}

static PyObject *param_dict(const posse_param *p) {
    return Py_BuildValue("{s:s,s:s,s:N,s:N,s:N,s:N,s:N,s:N,s:N,s:N,s:z,s:z,s:s}", "name", p->name, "type",
                         type_name(p->type), "required", kinds_flag(p->flags & POSSE_PARAM_REQUIRED), "optional",
                         kinds_flag(p->flags & POSSE_PARAM_OPTIONAL), "inherited",
                         kinds_flag(p->flags & POSSE_PARAM_INHERITED), "default", kinds_default_of(p), "low",
                         bound_of(p, p->low), "high", bound_of(p, p->high), "above",
                         kinds_flag(p->flags & POSSE_PARAM_ABOVE), "below", kinds_flag(p->flags & POSSE_PARAM_BELOW),
                         "words", p->words, "excludes", p->excludes, "help", p->help);
}

static bool append_params(PyObject *list, const posse_param *params, posse_family family, int index) {
    for (; params->name != NULL; params++) {
        if (posse_kind_param(family, index, params->name) != params) continue;
        PyObject *one = param_dict(params);
        if (one == NULL) return false;
        int failed = PyList_Append(list, one);
        Py_DECREF(one);
        if (failed) return false;
    }
    return true;
}

/* The kind's own parameters, and then those of its family that it does not declare itself. */
static PyObject *kind_dict(posse_family family, int index) {
    PyObject *params = PyList_New(0);
    if (params != NULL && append_params(params, posse_kind_params(family, index), family, index) &&
        append_params(params, posse_family_params(family), family, index))
        return Py_BuildValue("{s:s,s:N}", "help", posse_kind_help(family, index), "params", params);
    Py_XDECREF(params);
    return NULL;
}

static PyObject *family_dict(posse_family family) {
    PyObject *all = PyDict_New();
    for (int i = 0; all != NULL && i < posse_kind_count(family); i++) {
        PyObject *kind = kind_dict(family, i);
        if (kind == NULL || PyDict_SetItemString(all, posse_kind_name(family, i), kind) != 0) Py_CLEAR(all);
        Py_XDECREF(kind);
    }
    return all;
}

PyObject *kinds_all(PyObject *self, PyObject *unused) {
    (void)self;
    (void)unused;
    PyObject *all = PyDict_New();
    for (int f = 0; all != NULL && f < POSSE_FAMILY_COUNT; f++) {
        PyObject *family = family_dict((posse_family)f);
        if (family == NULL || PyDict_SetItemString(all, posse_family_name((posse_family)f), family) != 0) Py_CLEAR(all);
        Py_XDECREF(family);
    }
    return all;
}
