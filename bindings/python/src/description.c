/* SPDX-License-Identifier: MIT */
#include "python/src/description.h"

#include <math.h>
#include <string.h>

#include "describe/flow.h"
#include "describe/tree.h"

/* No double has more binary digits before its point. */
#define NUMBER_BITS_MAX 1024

typedef struct describer {
    tree tree;
    PyObject *learners;
    PyObject *learner_class; /* posse.learner.Learner */
    PyObject *classes;       /* that, and posse.bandit.Bandit: a tuple */
    PyObject *hire;          /* posse.hiring.hire */
} describer;

/* Values in Python have no position in a file. */
static const spot nowhere;

static bool description_describe(describer *d, PyObject *value);

/* ---------------------------------------------------- texts ------------------------------------------------------ */

/* A text as bytes in UTF-8, in which lone surrogates are escaped. */
static PyObject *description_escaped(PyObject *text) {
    return PyUnicode_AsEncodedString(text, "utf-8", "backslashreplace");
}

/* The UTF-8 of a text; NULL without an exception: there is none, because the text has a lone surrogate. */
static const char *description_utf8(PyObject *text, Py_ssize_t *length) {
    const char *bytes = PyUnicode_AsUTF8AndSize(text, length);
    if (bytes == NULL && PyErr_ExceptionMatches(PyExc_UnicodeEncodeError)) PyErr_Clear();
    return bytes;
}

/* Adds a copy of a text. The tree records failures. */
static bool description_add(describer *d, const char *text, size_t length, bool plain) {
    tree_add_scalar(&d->tree, pool_copy(d->tree.memory, text, length), length, plain, nowhere);
    return true;
}

static bool add_plain(describer *d, const char *text) {
    return description_add(d, text, strlen(text), true);
}

/* A text that YAML allows without quotes is added as plain, so that messages call it a word and not a quoted text. */
static bool add_text(describer *d, const char *text, size_t length) {
    return description_add(d, text, length, strlen(text) == length && flow_is_plain(text));
}

static bool refuse_half_character(describer *d, PyObject *text) {
    PyObject *shown = PyObject_ASCII(text);
    if (shown == NULL) return false;
    tree_refuse(&d->tree, nowhere, "%.300s is no text, it has half of a character",
                PyUnicode_AsUTF8AndSize(shown, NULL));
    Py_DECREF(shown);
    return true;
}

static bool describe_text(describer *d, PyObject *text) {
    Py_ssize_t length;
    const char *bytes = description_utf8(text, &length);
    if (bytes != NULL) return add_text(d, bytes, (size_t)length);
    return !PyErr_Occurred() && refuse_half_character(d, text);
}

/* --------------------------------------------------- numbers ----------------------------------------------------- */

/* Longer numbers are rejected here: their digits would take long to write, and the reader would reject them anyway. */
static bool describe_whole(describer *d, PyObject *number) {
    PyObject *bits = PyObject_CallMethod(number, "bit_length", NULL);
    Py_ssize_t count = bits != NULL ? PyLong_AsSsize_t(bits) : -1;
    Py_XDECREF(bits);
    if (count < 0) return false;
    if (count > NUMBER_BITS_MAX) {
        tree_refuse(&d->tree, nowhere, "a whole number of %zd bits is beyond the range of a number", count);
        return true;
    }
    PyObject *exact = PyNumber_Index(number), *digits = exact != NULL ? PyObject_Str(exact) : NULL;
    const char *text = digits != NULL ? PyUnicode_AsUTF8AndSize(digits, NULL) : NULL;
    if (text != NULL) add_plain(d, text);
    Py_XDECREF(digits);
    Py_XDECREF(exact);
    return text != NULL;
}

static bool describe_real(describer *d, double number) {
    if (!isfinite(number)) return add_plain(d, isnan(number) ? ".nan" : number > 0.0 ? ".inf" : "-.inf");
    char *text = PyOS_double_to_string(number, 'r', 0, Py_DTSF_ADD_DOT_0, NULL);
    if (text != NULL) add_plain(d, text);
    PyMem_Free(text);
    return text != NULL;
}

static bool describe_scalar(describer *d, PyObject *value) {
    if (PyBool_Check(value)) return add_plain(d, value == Py_True ? "true" : "false");
    if (value == Py_None) return add_plain(d, "null");
    if (PyLong_Check(value)) return describe_whole(d, value);
    if (PyFloat_Check(value)) return describe_real(d, PyFloat_AsDouble(value));
    if (PyUnicode_Check(value)) return describe_text(d, value);
    PyObject *name = PyType_GetName(Py_TYPE(value)), *bytes = name != NULL ? description_escaped(name) : NULL;
    if (bytes != NULL) tree_refuse(&d->tree, nowhere, "a %.100s is nothing that it can hold", PyBytes_AsString(bytes));
    Py_XDECREF(bytes);
    Py_XDECREF(name);
    return bytes != NULL;
}

/* ------------------------------------------------ lists and maps ------------------------------------------------- */

static bool describe_list(describer *d, PyObject *list) {
    bool ok = true;
    tree_open(&d->tree, NODE_LIST, nowhere);
    for (Py_ssize_t i = 0; ok && !d->tree.over && i < PyList_Size(list); i++) {
        PyObject *entry = Py_XNewRef(PyList_GetItem(list, i));
        ok = entry != NULL && description_describe(d, entry);
        Py_XDECREF(entry);
    }
    tree_close(&d->tree);
    return ok;
}

/* Adds a problem with a key of the map that is being described. `below`: how the key is shown in its path, or NULL. */
static void description_refuse_key(describer *d, const char *below, const char *format, PyObject *shown) {
    location where = {.node = d->tree.open[d->tree.depth - 1], .below = below};
    char message[400];
    PyObject *bytes = shown != NULL ? description_escaped(shown) : NULL;
    if (bytes == NULL) return;
    snprintf(message, sizeof message, format, PyBytes_AsString(bytes));
    problem_at(d->tree.found, where, "%s", message);
    Py_DECREF(bytes);
}

/* Adds a key. *taken: the key was added, and its value comes next. False with an exception set. */
static bool describe_key(describer *d, PyObject *key, bool *taken) {
    Py_ssize_t length;
    *taken = false;
    if (!PyUnicode_Check(key)) {
        PyObject *shown = PyObject_Repr(key);
        description_refuse_key(d, NULL, "the key %.300s is not a text", shown);
        Py_XDECREF(shown);
        return !PyErr_Occurred();
    }
    const char *bytes = description_utf8(key, &length);
    if (bytes != NULL) {
        *taken = add_text(d, bytes, (size_t)length);
        return true;
    }
    PyObject *below = !PyErr_Occurred() ? description_escaped(key) : NULL,
             *shown = below != NULL ? PyObject_ASCII(key) : NULL;
    if (shown != NULL)
        description_refuse_key(d, PyBytes_AsString(below), "%.300s is no text, it has half of a character", shown);
    Py_XDECREF(shown);
    Py_XDECREF(below);
    return !PyErr_Occurred();
}

/* The kinds "python" and "python-.." are internal to this module, and users may not write them. */
static bool is_python_kind(PyObject *key, PyObject *value) {
    Py_ssize_t length;
    if (!PyUnicode_Check(key) || !PyUnicode_Check(value) || PyUnicode_CompareWithASCIIString(key, "kind") != 0)
        return false;
    const char *text = description_utf8(value, &length);
    return text != NULL && strncmp(text, "python", 6) == 0 && (text[6] == '\0' || text[6] == '-');
}

static bool describe_item(describer *d, PyObject *item) {
    PyObject *key, *value;
    bool taken;
    if (!PyArg_ParseTuple(item, "OO", &key, &value) || !describe_key(d, key, &taken)) return false;
    if (!taken || d->tree.over) return true;
    if (!is_python_kind(key, value)) return description_describe(d, value);
    tree_refuse(&d->tree, nowhere, "a learner or an environment in Python is given as an object, or by its class");
    return true;
}

static bool describe_map(describer *d, PyObject *map) {
    PyObject *items = PyMapping_Items(map);
    bool ok = items != NULL;
    tree_open(&d->tree, NODE_MAP, nowhere);
    for (Py_ssize_t i = 0; ok && !d->tree.over && i < PyList_Size(items); i++)
        ok = describe_item(d, PyList_GetItem(items, i));
    tree_close(&d->tree);
    Py_XDECREF(items);
    return ok;
}

/* ----------------------------------------------- objects in Python ----------------------------------------------- */

/* 1, 0, or -1 with an exception set. */
static int is_mapping(PyObject *value) {
    return PyDict_Check(value) ? 1 : PyObject_IsInstance(value, module.mapping);
}

/*
 * The object that shows whether this is written in Python: the `kind` of a mapping, or the value itself. NULL with an
 * exception set.
 */
static PyObject *description_kind_of(PyObject *value) {
    int mapping = is_mapping(value);
    if (mapping < 0) return NULL;
    return mapping ? PyObject_CallMethod(value, "get", "s", "kind") : Py_NewRef(value);
}

/* Adds an object. `hired` is what posse.hiring.hire returned: the object, its name, its kind and a remark. */
static bool describe_hired(describer *d, PyObject *hired) {
    PyObject *object, *name, *remark;
    const char *kind;
    if (!PyArg_ParseTuple(hired, "OOsU", &object, &name, &kind, &remark)) return false;
    if (PyList_Append(d->learners, object) != 0) return false;
    const char *text = PyUnicode_AsUTF8AndSize(remark, NULL);
    char number[24];
    snprintf(number, sizeof number, "%zd", PyList_Size(d->learners) - 1);
    node *map = tree_open(&d->tree, NODE_MAP, nowhere);
    if (map != NULL && text != NULL) map->remark = pool_copy(d->tree.memory, text, strlen(text));
    bool ok = text != NULL && (name == Py_None || (add_plain(d, "name") && description_describe(d, name))) &&
              add_plain(d, "kind") && add_plain(d, kind) && add_plain(d, "object") && add_plain(d, number);
    tree_close(&d->tree);
    return ok;
}

static bool description_hire(describer *d, PyObject *value, PyObject *kind) {
    if (PyType_Check(kind)) {
        int derived = PyObject_IsSubclass(kind, d->classes);
        if (derived < 0) return false;
        if (!derived) {
            PyObject *name = PyType_GetName((PyTypeObject *)kind),
                     *bytes = name != NULL ? description_escaped(name) : NULL;
            if (bytes != NULL)
                tree_refuse(&d->tree, nowhere,
                            "%.200s is derived neither from posse.Learner nor from posse.Bandit; only learners and "
                            "environments may be written in Python",
                            PyBytes_AsString(bytes));
            Py_XDECREF(bytes);
            Py_XDECREF(name);
            return bytes != NULL;
        }
    }
    PyObject *hired = PyObject_CallFunctionObjArgs(d->hire, value, NULL);
    bool ok = hired != NULL && describe_hired(d, hired);
    Py_XDECREF(hired);
    return ok;
}

/* ---------------------------------------------------- values ----------------------------------------------------- */

/* NumPy's numbers and arrays, tuples and paths as Python's own. NULL with an exception set. */
static PyObject *as_own(PyObject *value) {
    PyObject *method = PyObject_GetAttrString(value, "tolist"), *own;
    if (method == NULL && !PyErr_ExceptionMatches(PyExc_AttributeError)) return NULL;
    PyErr_Clear();
    own = method != NULL ? PyObject_CallFunctionObjArgs(method, NULL) : Py_NewRef(value);
    Py_XDECREF(method);
    PyObject *before = own;
    if (own != NULL && PyTuple_Check(own))
        own = PySequence_List(before);
    else if (own != NULL && PyObject_HasAttrString((PyObject *)Py_TYPE(own), "__fspath__"))
        own = PyOS_FSPath(before);
    else
        return own;
    Py_DECREF(before);
    return own;
}

static bool describe_own(describer *d, PyObject *value) {
    int mapping = is_mapping(value);
    if (mapping < 0) return false;
    if (mapping) return describe_map(d, value);
    return PyList_Check(value) ? describe_list(d, value) : describe_scalar(d, value);
}

static bool description_describe(describer *d, PyObject *value) {
    PyObject *kind = description_kind_of(value), *own = NULL;
    if (kind == NULL) return false;
    int learner = PyType_Check(kind) ? 1 : PyObject_IsInstance(kind, d->classes);
    bool ok = learner > 0 && description_hire(d, value, kind);
    if (learner == 0 && (own = as_own(value)) != NULL) ok = describe_own(d, own);
    Py_XDECREF(own);
    Py_DECREF(kind);
    return ok;
}

/* ---------------------------------------------- whole descriptions ----------------------------------------------- */

static bool open_describer(describer *d, description *out) {
    *out = (description){.memory = pool_create(NULL), .learners = PyList_New(0)};
    problems_open(&out->found, NULL);
    *d = (describer){.tree = {.memory = out->memory, .found = &out->found},
                     .learners = out->learners,
                     .learner_class = module_import("posse.learner", "Learner"),
                     .hire = module_import("posse.hiring", "hire")};
    PyObject *bandit = module_import("posse.bandit", "Bandit");
    if (d->learner_class != NULL && bandit != NULL) d->classes = PyTuple_Pack(2, d->learner_class, bandit);
    Py_XDECREF(bandit);
    return out->learners != NULL && d->classes != NULL && d->hire != NULL && out->memory != NULL;
}

/* Whether the description succeeded; lack of memory is an exception, too. */
static bool close_describer(describer *d, description *out, bool ok) {
    Py_XDECREF(d->learner_class);
    Py_XDECREF(d->classes);
    Py_XDECREF(d->hire);
    bool complete = !d->tree.over && !pool_failed(out->memory);
    out->root = complete ? d->tree.root : NULL;
    if (!PyErr_Occurred() && (pool_failed(out->memory) || problems_failed(&out->found))) PyErr_NoMemory();
    return ok && !PyErr_Occurred();
}

bool description_of_experiment(description *out, PyObject *experiment) {
    describer d;
    bool ok = open_describer(&d, out) && description_describe(&d, experiment);
    return close_describer(&d, out, ok);
}

/* A kind's name stands for a part without options. */
static bool describe_part(describer *d, PyObject *part) {
    if (!PyUnicode_Check(part)) return description_describe(d, part);
    PyObject *map = Py_BuildValue("{sO}", "kind", part);
    bool ok = map != NULL && description_describe(d, map);
    Py_XDECREF(map);
    return ok;
}

static bool describe_entry(describer *d, const char *key, PyObject *part) {
    return part == Py_None || (add_plain(d, key) && describe_part(d, part));
}

static bool describe_word(describer *d, const char *key, PyObject *word) {
    return word == Py_None || (add_plain(d, key) && description_describe(d, word));
}

/* The learners as a list. A single learner in its place is an easy mistake, and an error. */
static PyObject *description_list_of(describer *d, PyObject *learners) {
    int mapping = is_mapping(learners), learner = PyObject_IsInstance(learners, d->learner_class);
    if (mapping < 0 || learner < 0) return NULL;
    if (mapping || learner || PyUnicode_Check(learners) || PyType_Check(learners)) {
        PyErr_SetString(PyExc_TypeError, "learners must be a list");
        return NULL;
    }
    int some = PyObject_IsTrue(learners);
    return some < 0 ? NULL : some ? PySequence_List(learners) : PyList_New(0);
}

static bool describe_learners(describer *d, PyObject *learners) {
    PyObject *list = description_list_of(d, learners);
    bool ok = list != NULL && add_plain(d, "learners");
    tree_open(&d->tree, NODE_LIST, nowhere);
    for (Py_ssize_t i = 0; ok && !d->tree.over && i < PyList_Size(list); i++)
        ok = describe_part(d, PyList_GetItem(list, i));
    tree_close(&d->tree);
    Py_XDECREF(list);
    return ok;
}

/* Learners that are left out, or all recommended, are left to the reader of definitions. */
static bool describe_team(describer *d, PyObject *learners) {
    bool recommended = PyUnicode_Check(learners) && PyUnicode_CompareWithASCIIString(learners, POSSE_RECOMMENDED) == 0;
    if (learners == Py_None || recommended) return describe_word(d, "learners", learners);
    return describe_learners(d, learners);
}

bool description_of_posse(description *out, PyObject *selector, PyObject *learners, PyObject *prior, PyObject *rewards,
                          PyObject *features) {
    describer d;
    bool ok = open_describer(&d, out);
    if (ok) tree_open(&d.tree, NODE_MAP, nowhere);
    ok = ok && describe_entry(&d, "prior", prior) && describe_entry(&d, "selector", selector) &&
         describe_word(&d, "rewards", rewards) && describe_word(&d, "features", features) &&
         describe_team(&d, learners);
    tree_close(&d.tree);
    return close_describer(&d, out, ok);
}

bool description_of_part(description *out, PyObject *part) {
    describer d;
    bool ok = open_describer(&d, out) && describe_part(&d, part);
    return close_describer(&d, out, ok);
}

void description_close(description *d) {
    pool_free(d->memory);
    problems_close(&d->found);
    Py_XDECREF(d->learners);
    *d = (description){0};
}
