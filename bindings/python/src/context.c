/* SPDX-License-Identifier: MIT */
#include "python/src/context.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "python/src/argument.h"
#include "python/src/array.h"

/* -------------------------------------------- the parts of a context --------------------------------------------- */

/* posse.contexts.Context or Round, imported when it is first needed, because it is written in Python. */
static PyObject *class_named(const char *name, PyObject **kept) {
    if (*kept == NULL) *kept = module_import("posse.contexts", name);
    return *kept;
}

static PyObject *context_class(void) {
    return class_named("Context", &module.context);
}

static bool are_given_apart(const context_parts *p) {
    return p->points != NULL || p->shared != NULL || p->arms != NULL;
}

static bool refuse_twice(void) {
    PyErr_SetString(PyExc_TypeError, "features are given as a context, or as points and shared, and not twice");
    return false;
}

static PyObject *context_unless_none(PyObject *value) {
    return value != Py_None ? value : NULL;
}

static bool take_apart(context_parts *p) {
    if (are_given_apart(p)) return refuse_twice();
    p->points = context_unless_none(PyTuple_GetItem(p->context, 0));
    p->shared = context_unless_none(PyTuple_GetItem(p->context, 1));
    p->arms = context_unless_none(PyTuple_GetItem(p->context, 2));
    return true;
}

static bool take_pair(context_parts *p) {
    if (!PyTuple_Check(p->context) || PyTuple_Size(p->context) != 2) {
        errors_raise_context("context", "rounds have features of each arm and shared ones: (points, shared) is needed");
        return false;
    }
    p->points = PyTuple_GetItem(p->context, 0);
    p->shared = PyTuple_GetItem(p->context, 1);
    return true;
}

/* Whether a value maps names to features: a dict, or a row of a data frame. */
static bool context_maps(PyObject *value) {
    return PyDict_Check(value) || (PyObject_HasAttrString(value, "keys") && PyObject_HasAttrString(value, "items"));
}

/* A bare array has the points or the shared features, depending on which of them the posse's rounds have. */
static bool context_resolve(context_parts *p, const application *a) {
    int shared = posse_shared_feature_count(a->posse), own = posse_feature_count(a->posse) - shared;
    PyObject *class = context_class();
    int whole = class != NULL ? PyObject_IsInstance(p->context, class) : -1;
    if (whole < 0) return false;
    if (whole) return take_apart(p);
    if (p->points != NULL || p->shared != NULL) return refuse_twice();
    if (posse_takes_names(a->posse) && context_maps(p->context)) own = 0;
    if (own > 0 && shared > 0) return take_pair(p);
    *(own > 0 ? &p->points : &p->shared) = p->context;
    return true;
}

/* --------------------------------------------------- numbers ----------------------------------------------------- */

static bool context_take_reals(PyObject *value, const char *name, Py_buffer *out) {
    return array_borrow(value, "d", out) || array_borrow_from(array_convert("numbers", value, name), "d", out);
}

/* ---------------------------------------------------- pairs ------------------------------------------------------ */

/* Whether features are given as pairs: a dict, a list of dicts, or a sparse array of SciPy. */
static bool are_pairs(PyObject *value) {
    if (PyObject_CheckBuffer(value)) return false;
    if (PyDict_Check(value)) return true;
    if (PyList_Check(value)) return PyList_Size(value) > 0 && PyDict_Check(PyList_GetItem(value, 0));
    if (PyTuple_Check(value)) return PyTuple_Size(value) > 0 && PyDict_Check(PyTuple_GetItem(value, 0));
    return PyObject_HasAttrString(value, "tocsr");
}

/* An index that no int holds is not one of a feature either, and the library refuses -1. */
static int context_index(long long index) {
    return index >= 0 && index <= INT_MAX ? (int)index : -1;
}

static bool copy_pairs(given_pairs *x, const Py_buffer *starts, const Py_buffer *indices) {
    size_t rows = (size_t)starts->shape[0] - 1, pairs = (size_t)indices->shape[0];
    const long long *first = starts->buf, *from = indices->buf;
    x->rows = malloc((rows + 1) * sizeof *x->rows);
    x->indices = malloc((pairs + 1) * sizeof *x->indices);
    if (x->rows == NULL || x->indices == NULL) return PyErr_NoMemory() != NULL;
    for (size_t i = 0; i < pairs; i++) x->indices[i] = context_index(from[i]);
    for (size_t k = 0; k < rows; k++)
        x->rows[k] = (posse_sparse){(int)(first[k + 1] - first[k]), x->indices + first[k],
                                    (const double *)x->values.buf + first[k]};
    return true;
}

bool context_copy_pairs(given_pairs *x, PyObject *all) {
    Py_buffer starts = {0}, indices = {0};
    bool ok = array_borrow(PyTuple_GetItem(all, 0), "lq", &starts) &&
              array_borrow(PyTuple_GetItem(all, 1), "lq", &indices) &&
              array_borrow(PyTuple_GetItem(all, 2), "d", &x->values) && copy_pairs(x, &starts, &indices);
    x->count = ok ? (int)starts.shape[0] - 1 : 0;
    if (starts.obj != NULL) PyBuffer_Release(&starts);
    if (indices.obj != NULL) PyBuffer_Release(&indices);
    return ok;
}

static bool take_pairs(given_pairs *x, PyObject *value, const char *name, int *rows) {
    PyObject *all = array_convert("pairs", value, name);
    bool ok = all != NULL && context_copy_pairs(x, all);
    if (ok) *rows = x->count;
    Py_XDECREF(all);
    return ok;
}

void context_free_pairs(given_pairs *x) {
    if (x->values.obj != NULL) PyBuffer_Release(&x->values);
    free(x->rows);
    free(x->indices);
}

/* --------------------------------------------------- in full ----------------------------------------------------- */

/* The sizes of an array as text, "3 x 4". */
static const char *sizes_text(const Py_buffer *b, char *text, size_t size) {
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < b->ndim && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%zd", i > 0 ? " x " : "", b->shape[i]);
    return b->ndim > 0 ? text : "one number";
}

/* If rounds have no shared features, the library reports it; otherwise the size must be right. */
static bool take_shared(given_context *x, PyObject *value, int wanted) {
    char sizes[80];
    int rows = 1;
    if (are_pairs(value)) {
        if (!take_pairs(&x->sparse_shared, value, "shared", &rows)) return false;
        if (rows != 1) errors_raise_context("context.shared", "must be one row of pairs, not %d", rows);
        return rows == 1;
    }
    if (!context_take_reals(value, "shared", &x->shared)) return false;
    if (wanted == 0 || (x->shared.ndim == 1 && x->shared.shape[0] == wanted)) return true;
    errors_raise_context("context.shared", "must be %d numbers, not %s", wanted,
                         sizes_text(&x->shared, sizes, sizeof sizes));
    return false;
}

static bool context_take_points(given_context *x, PyObject *value, int wanted) {
    char sizes[80];
    if (are_pairs(value)) return take_pairs(&x->sparse_points, value, "points", &x->rows);
    if (!context_take_reals(value, "points", &x->points)) return false;
    const Py_buffer *b = &x->points;
    if (wanted > 0 && (b->ndim != 2 || b->shape[1] != wanted || b->shape[0] > INT_MAX)) {
        errors_raise_context("context.points", "must be an array, arms x %d, not %s", wanted,
                             sizes_text(b, sizes, sizeof sizes));
        return false;
    }
    x->rows = wanted > 0 ? (int)b->shape[0] : -1;
    return true;
}

/* ----------------------------------------------------- arms ------------------------------------------------------ */

/* An arm, and its place in the list as it was given. */
typedef struct listed_arm {
    int arm, place;
} listed_arm;

static int by_arm(const void *a_, const void *b_) {
    const listed_arm *a = a_, *b = b_;
    if (a->arm != b->arm) return a->arm < b->arm ? -1 : 1;
    return a->place < b->place ? -1 : 1;
}

static bool put_right(given_context *x) {
    size_t count = (size_t)x->listed;
    listed_arm *list = malloc(count * sizeof *list);
    x->order = malloc(count * sizeof *x->order);
    if (list != NULL && x->order != NULL) {
        for (size_t k = 0; k < count; k++) list[k] = (listed_arm){x->arms[k], (int)k};
        qsort(list, count, sizeof *list, by_arm);
        for (size_t k = 0; k < count; k++) {
            x->arms[k] = list[k].arm;
            x->order[k] = list[k].place;
        }
    } else
        PyErr_NoMemory();
    free(list);
    return !PyErr_Occurred();
}

static bool context_rise(const int *arms, int count) {
    for (int k = 1; k < count; k++)
        if (arms[k] <= arms[k - 1]) return false;
    return true;
}

/* Copies numbers of arms. Those beyond the C type are rejected here, all other wrong ones by the library. */
static bool copy_arms(given_context *x, const application *a, const Py_buffer *given) {
    const long long *numbers = given->buf;
    x->listed = (int)given->shape[0];
    x->arms = malloc(((size_t)x->listed + 1) * sizeof *x->arms);
    if (x->arms == NULL) return PyErr_NoMemory() != NULL;
    for (int k = 0; k < x->listed; k++) {
        if (numbers[k] < INT_MIN || numbers[k] > INT_MAX) {
            char path[40];
            snprintf(path, sizeof path, "context.arms[%d]", k);
            errors_raise_context(path, "there is no arm %lld, only 0 to %d", numbers[k], posse_arm_count(a->posse) - 1);
            return false;
        }
        x->arms[k] = (int)numbers[k];
    }
    return context_rise(x->arms, x->listed) || put_right(x);
}

/* Whether a list of arms begins with a name. */
static bool context_has_names(PyObject *value) {
    if (PyUnicode_Check(value) || !PySequence_Check(value) || PySequence_Size(value) <= 0) {
        PyErr_Clear();
        return false;
    }
    PyObject *first = PySequence_GetItem(value, 0);
    bool name = first != NULL && PyUnicode_Check(first);
    Py_XDECREF(first);
    PyErr_Clear();
    return name;
}

/* The place of the first name in the list that is equal to the one at k. */
static Py_ssize_t context_first_place(PyObject *list, Py_ssize_t k) {
    Py_ssize_t first = 0;
    while (PyUnicode_Compare(PyList_GetItem(list, first), PyList_GetItem(list, k)) != 0) first++;
    return first;
}

/* The numbers of arms by name. A name that no arm has gets the number that it will have after context_join. */
static bool context_number_arms(given_context *x, const application *a, PyObject *list, long long *numbers) {
    for (Py_ssize_t k = 0; k < PyList_Size(list); k++) {
        PyObject *name = PyList_GetItem(list, k);
        if (!PyUnicode_Check(name)) {
            errors_raise_context("context.arms", "must be names, or numbers, and not both");
            return false;
        }
        Py_ssize_t first = context_first_place(list, k);
        numbers[k] = first < k ? numbers[first] : argument_find_arm(a, name);
        if (numbers[k] < 0) numbers[k] = posse_arm_count(a->posse) + x->newcomers++;
    }
    return true;
}

static bool context_name_arms(given_context *x, const application *a, PyObject *value) {
    x->names = PySequence_List(value);
    if (x->names == NULL) return false;
    Py_ssize_t count = PyList_Size(x->names);
    long long *numbers = PyMem_Calloc((size_t)count + 1, sizeof *numbers);
    if (numbers == NULL) return PyErr_NoMemory() != NULL;
    Py_buffer given = {.buf = numbers, .shape = &count};
    bool right = context_number_arms(x, a, x->names, numbers) && copy_arms(x, a, &given);
    PyMem_Free(numbers);
    return right;
}

/* What the library would refuse is refused before an arm joins. */
static bool context_are_features(const Py_buffer *b) {
    const double *numbers = b->buf;
    size_t count = b->obj != NULL ? (size_t)b->len / sizeof *numbers : 0, i = 0;
    while (i < count && fabs(numbers[i]) <= 1e6) i++;
    if (i == count) return true;
    errors_raise_context("context", "%g is no feature; they must be finite and at most 1e+06", numbers[i]);
    return false;
}

static bool context_are_playable(const given_context *x, const application *a) {
    for (int k = 0; k < x->listed; k++) {
        bool twice = k > 0 && x->arms[k] == x->arms[k - 1];
        bool retired = x->arms[k] < posse_arm_count(a->posse) && !posse_arm_active(a->posse, x->arms[k]);
        if (!twice && !retired) continue;
        errors_raise_context("context.arms", "arm %d is %s", x->arms[k], twice ? "there twice" : "retired");
        return false;
    }
    return true;
}

static int context_active_arms(const application *a) {
    int count = 0;
    for (int arm = 0; arm < posse_arm_count(a->posse); arm++) count += posse_arm_active(a->posse, arm);
    return count;
}

/* Whether all new names fit. If not, the first one that does not is reported. */
static bool context_have_room(const given_context *x, const application *a) {
    int active = context_active_arms(a), most = posse_joins(a->posse);
    if (active + x->newcomers <= most) return true;
    Py_ssize_t k = 0;
    for (;; k++) {
        if (argument_find_arm(a, PyList_GetItem(x->names, k)) >= 0) continue;
        if (active >= most) break;
        active++;
    }
    const char *name = argument_name(PyList_GetItem(x->names, k));
    char path[40];
    snprintf(path, sizeof path, "context.arms[%zd]", k);
    if (most == 0)
        errors_raise_context(path, "there is no arm \"%.100s\"", name != NULL ? name : "?");
    else
        errors_raise_context(path, "\"%.100s\" cannot join: %d arms are active, and arms join up to %d",
                             name != NULL ? name : "?", active, most);
    return false;
}

/* The same for features by name: the library checks them as if each list belonged to an arm that exists. */
static bool context_are_named_well(const given_context *x, application *a) {
    int arm = 0;
    bool right = true;
    posse_context numbers;
    if (x->by_name.rows == NULL) return true;
    if (!application_enter(a)) return false;
    while (arm + 1 < posse_arm_count(a->posse) && !posse_arm_active(a->posse, arm)) arm++;
    for (int k = 0; right && k < x->listed; k++) {
        const posse_named *all = &x->by_name.named;
        posse_named one = {.shared = all->shared, .points = all->points != NULL ? &all->points[k] : NULL};
        posse_context round = {.count = 1, .arms = &arm, .named = &one};
        right = context_made_well(x, a, posse_named_numbers(a->posse, &round, &numbers));
    }
    application_leave(a);
    return right;
}

static bool context_may_join(bool looks) {
    if (looks) errors_raise_context("context", "an arm that is not known yet joins only with a decision");
    return !looks;
}

/* The names that no arm has join, in their order, and so get the numbers that they were given. */
static bool context_join(given_context *x, application *a, bool looks) {
    if (x->newcomers == 0) return true;
    bool right = context_have_room(x, a) && context_may_join(looks) && context_are_playable(x, a) &&
                 context_are_features(&x->points) && context_are_features(&x->shared) && context_are_named_well(x, a);
    for (Py_ssize_t k = 0; right && k < PyList_Size(x->names); k++)
        right = argument_join_arm(a, PyList_GetItem(x->names, k)) >= 0;
    return right;
}

static bool context_take_arms(given_context *x, const application *a, PyObject *value) {
    Py_buffer given;
    if (context_has_names(value)) return context_name_arms(x, a, value);
    if (!array_borrow(value, "lq", &given) &&
        !array_borrow_from(array_convert("whole_numbers", value, NULL), "lq", &given))
        return false;
    bool ok = given.ndim == 1 && given.shape[0] <= INT_MAX;
    if (ok)
        ok = copy_arms(x, a, &given);
    else
        errors_raise_context("context.arms", "must be a list");
    PyBuffer_Release(&given);
    return ok;
}

static bool context_agree(const given_context *x) {
    if (x->rows < 0 || x->listed < 0 || x->rows == x->listed) return true;
    errors_raise_context("context.points", "%d rows, and %d arms are listed", x->rows, x->listed);
    return false;
}

static bool rearrange_pairs(given_context *x) {
    posse_sparse *rows = malloc(((size_t)x->rows + 1) * sizeof *rows);
    if (rows == NULL) return PyErr_NoMemory() != NULL;
    for (int k = 0; k < x->rows; k++) rows[k] = x->sparse_points.rows[x->order[k]];
    free(x->sparse_points.rows);
    x->sparse_points.rows = rows;
    return true;
}

/* Copies the rows into the order of the arms. */
static bool context_rearrange(given_context *x, size_t dim) {
    if (x->order == NULL || x->rows < 0) return true;
    if (x->sparse_points.rows != NULL) return rearrange_pairs(x);
    const double *from = x->points.buf;
    x->rearranged = malloc(((size_t)x->rows * dim + 1) * sizeof(double));
    if (x->rearranged == NULL) return PyErr_NoMemory() != NULL;
    for (size_t k = 0; k < (size_t)x->rows; k++)
        memcpy(x->rearranged + k * dim, from + (size_t)x->order[k] * dim, dim * sizeof(double));
    return true;
}

/* ----------------------------------------------- opening and closing --------------------------------------------- */

static bool context_open_named(given_context *x, application *a, const context_parts *p) {
    PyObject *arms;
    bool ok = named_open(&x->by_name, p->shared, p->arms, &arms) && (arms == NULL || context_take_arms(x, a, arms)) &&
              named_sort(&x->by_name, x->order) && context_join(x, a, p->looks);
    Py_XDECREF(arms);
    return ok;
}

/* A posse that takes names takes numbers as well. */
static bool context_is_named(const context_parts *p, const application *a) {
    bool given = p->context != NULL || are_given_apart(p);
    return given && posse_takes_names(a->posse) && p->points == NULL && (p->shared == NULL || context_maps(p->shared));
}

bool context_open(given_context *x, application *a, const context_parts *given) {
    context_parts p = *given;
    int shared = posse_shared_feature_count(a->posse), own = posse_feature_count(a->posse) - shared;
    *x = (given_context){.rows = -1, .listed = -1, .given = p.context != NULL || are_given_apart(&p)};
    if (p.context != NULL && !context_resolve(&p, a)) return false;
    if (context_is_named(&p, a)) return context_open_named(x, a, &p);
    return (p.shared == NULL || take_shared(x, p.shared, shared)) &&
           (p.points == NULL || context_take_points(x, p.points, own)) &&
           (p.arms == NULL || context_take_arms(x, a, p.arms)) && context_agree(x) &&
           context_rearrange(x, (size_t)own) && context_join(x, a, p.looks);
}

void context_close(given_context *x) {
    if (x->points.obj != NULL) PyBuffer_Release(&x->points);
    if (x->shared.obj != NULL) PyBuffer_Release(&x->shared);
    context_free_pairs(&x->sparse_points);
    context_free_pairs(&x->sparse_shared);
    free(x->arms);
    free(x->order);
    free(x->rearranged);
    Py_XDECREF(x->names);
    named_close(&x->by_name);
}

/* To the library, 0 means all arms that are not retired. */
static int count_of(const given_context *x, const application *a) {
    if (x->listed >= 0) return x->listed;
    if (x->rows < 0) return 0;
    bool all = x->rows > 0 && x->rows < posse_arm_count(a->posse) && x->rows == context_active_arms(a);
    return all ? 0 : x->rows;
}

bool context_enter(given_context *x, application *a) {
    if (!application_enter(a)) return false;
    context_complete(x, a);
    return true;
}

void context_complete(given_context *x, const application *a) {
    static const int none;
    x->c = (posse_context){.count = count_of(x, a), .arms = x->arms, .shared = x->shared.buf};
    x->c.points = x->rearranged != NULL ? x->rearranged : x->points.buf;
    x->c.sparse_points = x->sparse_points.rows;
    x->c.sparse_shared = x->sparse_shared.rows;
    if (x->by_name.rows != NULL) x->c.named = &x->by_name.named;
    if (x->rows == 0 && x->arms == NULL) x->c.arms = &none; /* no arm at all, which is not the same as all arms */
}

int context_count(const given_context *x, const application *a) {
    return x->c.count > 0 ? x->c.count : context_active_arms(a);
}

void context_put_back(const given_context *x, const double *numbers, double *out) {
    for (int k = 0; k < x->listed; k++) out[x->order != NULL ? x->order[k] : k] = numbers[k];
}

/* --------------------------------------------------- problems ---------------------------------------------------- */

/* The place that the library named, as a path in the context that was given. */
static void context_write_path(const given_context *x, const application *a, char *path, size_t size) {
    const char *name = strcmp(a->place, "context.count") == 0 ? "context.arms" : a->place;
    int index = a->index, own = posse_feature_count(a->posse) - posse_shared_feature_count(a->posse);
    bool is_point = strcmp(name, "context.points") == 0 && own > 0;
    bool by_order = x->order != NULL && (is_point || strcmp(name, "context.arms") == 0);
    int row = is_point ? index / own : index;
    if (index < 0 || (is_point && x->sparse_points.rows != NULL))
        snprintf(path, size, "%s", name);
    else if (is_point)
        snprintf(path, size, "%s[%d][%d]", name, by_order ? x->order[row] : row, index % own);
    else
        snprintf(path, size, "%s[%d]", name, by_order ? x->order[row] : row);
}

bool context_made_well(const given_context *x, application *a, posse_error error) {
    if (error != POSSE_ERROR_CONTEXT) return application_made_well(a, error, NULL);
    char path[sizeof a->place + 40];
    context_write_path(x, a, path, sizeof path);
    errors_raise_context(path, "%s", a->told);
    return false;
}

PyObject *context_settle(const given_context *x, application *a, posse_error error) {
    bool ok = context_made_well(x, a, error);
    application_leave(a);
    return ok ? Py_NewRef(Py_None) : NULL;
}

/* ---------------------------------------------------- to Python -------------------------------------------------- */

static PyObject *arm_array(const int *arms, int count) {
    void *numbers;
    PyObject *array = array_new((size_t)count, 'l', &numbers);
    for (int k = 0; array != NULL && k < count; k++) ((long *)numbers)[k] = arms[k];
    return array;
}

/* Calls a class of posse.contexts with arrays, which it takes over. */
static PyObject *context_make(PyObject *class, PyObject *arrays[], int count) {
    PyObject *all = class != NULL ? PyTuple_New(count) : NULL;
    bool ok = all != NULL;
    for (int i = 0; i < count; i++) {
        if (ok && arrays[i] != NULL)
            ok = PyTuple_SetItem(all, i, arrays[i]) == 0;
        else {
            Py_XDECREF(arrays[i]);
            ok = false;
        }
    }
    PyObject *made = ok ? PyObject_CallObject(class, all) : NULL;
    Py_XDECREF(all);
    return made;
}

PyObject *context_new(const posse_context *c, int dim, int shared) {
    PyObject *arrays[] = {c->points != NULL ? array_rows(c->points, (size_t)c->count, (size_t)dim, false)
                                            : Py_NewRef(Py_None),
                          c->shared != NULL ? array_copy(c->shared, (size_t)shared, 'd') : Py_NewRef(Py_None),
                          arm_array(c->arms, c->count)};
    return context_make(context_class(), arrays, 3);
}

PyObject *context_new_round(const posse_round *round) {
    PyObject *arrays[] = {arm_array(round->arms, round->count),
                          array_rows(round->features, (size_t)round->count, (size_t)round->width, round->stride == 0)};
    return context_make(class_named("Round", &module.round), arrays, 2);
}
