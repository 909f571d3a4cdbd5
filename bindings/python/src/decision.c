/* SPDX-License-Identifier: MIT */
#include "python/src/decision.h"

#include <stddef.h>
#include <string.h>
#include <structmember.h>

#include "posse_modes.h"
#include "python/src/array.h"

typedef struct decision_object {
    PyVarObject head;
    unsigned long long id, age, maker;
    int learner, arm, mode;
    char probe, floor; /* 0 or 1, as Python's T_BOOL has it */
    bool features;     /* the point has the features of the round */
    double probability, propensity;
    PyObject *name; /* of the arm, or NULL */
    double point[]; /* Py_SIZE numbers */
} decision_object;

static void decision_take_point(decision_object *o, const double *point) {
    if (point != NULL) memcpy(o->point, point, (size_t)Py_SIZE((PyObject *)o) * sizeof(double));
}

static void decision_dealloc(PyObject *self) {
    Py_XDECREF(((decision_object *)self)->name);
    module_free(self);
}

PyObject *decision_new(const posse_decision *d, decision_shape shape, const char *name, uint64_t maker, uint64_t age) {
    decision_object *o = module_allocate(module.decision, shape.numbers);
    if (o == NULL) return NULL;
    if (name != NULL && (o->name = PyUnicode_FromString(name)) == NULL) {
        Py_DECREF(o);
        return NULL;
    }
    o->id = d->id;
    o->age = age;
    o->maker = maker;
    o->learner = d->learner;
    o->arm = d->arm;
    o->probe = d->probe;
    o->floor = d->floor;
    o->mode = d->mode;
    o->features = shape.features;
    o->probability = d->probability;
    o->propensity = d->propensity;
    decision_take_point(o, d->point);
    return (PyObject *)o;
}

bool decision_id(PyObject *decision, uint64_t *id, uint64_t *maker) {
    *maker = 0;
    if (Py_IS_TYPE(decision, module.decision)) {
        *id = ((decision_object *)decision)->id;
        *maker = ((decision_object *)decision)->maker;
        return true;
    }
    if (!PyLong_Check(decision)) {
        PyErr_SetString(PyExc_TypeError, "a Decision, or its id, is needed here");
        return false;
    }
    *id = PyLong_AsUnsignedLongLong(decision);
    if (!PyErr_Occurred()) return true;
    if (!PyErr_ExceptionMatches(PyExc_OverflowError)) return false;
    PyErr_Clear(); /* no decision has this id, nor the id 0 */
    *id = 0;
    return true;
}

void decision_tell(PyObject *decision, const posse_pending *told, const char *name) {
    if (!Py_IS_TYPE(decision, module.decision)) return;
    decision_object *o = (decision_object *)decision;
    o->arm = told->arm;
    if (name != NULL && o->name == NULL) o->name = PyUnicode_FromString(name);
    PyErr_Clear(); /* without memory the decision has no name; the play was reported all the same */
    decision_take_point(o, told->point);
}

static bool is_untold(const decision_object *o) {
    return o->arm == POSSE_ARM_UNTOLD;
}

static PyObject *get_untold(PyObject *self, void *unused) {
    (void)unused;
    return PyBool_FromLong(is_untold((decision_object *)self));
}

/* Negative numbers of the library are None, since arms[-1] would be an arm. */
static PyObject *get_arm(PyObject *self, void *unused) {
    (void)unused;
    decision_object *o = (decision_object *)self;
    return o->arm < 0 ? Py_NewRef(Py_None) : PyLong_FromLong(o->arm);
}

static PyObject *decision_get_name(PyObject *self, void *unused) {
    (void)unused;
    PyObject *name = ((decision_object *)self)->name;
    return Py_NewRef(name != NULL ? name : Py_None);
}

static PyObject *decision_mode_name(int mode) {
    const char *name = posse_mode_name(mode);
    return name != NULL ? PyUnicode_FromString(name) : Py_NewRef(Py_None);
}

static PyObject *decision_get_mode(PyObject *self, void *unused) {
    (void)unused;
    return decision_mode_name(((decision_object *)self)->mode);
}

PyObject *decision_modes(void) {
    PyObject *names = PyTuple_New(POSSE_SUGGESTED + 1);
    for (int mode = POSSE_MODE_NONE; names != NULL && mode <= POSSE_SUGGESTED; mode++) {
        PyObject *name = decision_mode_name(mode);
        if (name == NULL || PyTuple_SetItem(names, mode, name) != 0) Py_CLEAR(names);
    }
    return names;
}

static PyObject *get_propensity(PyObject *self, void *unused) {
    (void)unused;
    double propensity = ((decision_object *)self)->propensity;
    return propensity > 0.0 ? PyFloat_FromDouble(propensity) : Py_NewRef(Py_None);
}

static PyObject *decision_numbers(PyObject *self, bool features) {
    decision_object *o = (decision_object *)self;
    if (Py_SIZE((PyObject *)o) == 0 || is_untold(o) || o->features != features) return Py_NewRef(Py_None);
    array_shape shape = {
        .data = o->point, .format = 'd', .axes = 1, .sizes = {Py_SIZE((PyObject *)o)}, .strides = {sizeof(double)}};
    return array_over(self, &shape);
}

static PyObject *get_point(PyObject *self, void *unused) {
    (void)unused;
    return decision_numbers(self, false);
}

static PyObject *decision_get_features(PyObject *self, void *unused) {
    (void)unused;
    return decision_numbers(self, true);
}

static PyObject *decision_repr(PyObject *self) {
    decision_object *o = (decision_object *)self;
    PyObject *arm = get_arm(self, NULL), *probability = arm != NULL ? PyFloat_FromDouble(o->probability) : NULL;
    PyObject *name = probability == NULL ? NULL
                     : o->name != NULL   ? PyUnicode_FromFormat(", name=%R", o->name)
                                         : PyUnicode_FromString("");
    PyObject *text = NULL;
    if (name != NULL)
        text = PyUnicode_FromFormat("Decision(id=%llu, learner=%d, arm=%R%U, probability=%R, probe=%s)", o->id,
                                    o->learner, arm, name, probability, o->probe ? "True" : "False");
    Py_XDECREF(name);
    Py_XDECREF(probability);
    Py_XDECREF(arm);
    return text;
}

/* A copy is equal to the original, and so is a decision that was unpickled. */
static PyObject *decision_compare(PyObject *self, PyObject *other, int how) {
    if ((how != Py_EQ && how != Py_NE) || !Py_IS_TYPE(other, module.decision)) return Py_NewRef(Py_NotImplemented);
    const decision_object *a = (decision_object *)self, *b = (decision_object *)other;
    bool equal = a->id == b->id && a->learner == b->learner && a->arm == b->arm && a->probability == b->probability &&
                 a->probe == b->probe && a->floor == b->floor && a->mode == b->mode && a->features == b->features &&
                 Py_SIZE(self) == Py_SIZE(other) &&
                 memcmp(a->point, b->point, (size_t)Py_SIZE(self) * sizeof(double)) == 0;
    return PyBool_FromLong(equal == (how == Py_EQ));
}

/* Without the arm: that of an external learner is reported later, and the hash must not change. */
static Py_hash_t decision_hash(PyObject *self) {
    const decision_object *o = (decision_object *)self;
    PyObject *key = Py_BuildValue("Kid", o->id, o->learner, o->probability);
    Py_hash_t number = key != NULL ? PyObject_Hash(key) : -1;
    Py_XDECREF(key);
    return number;
}

static PyObject *decision_reduce(PyObject *self, PyObject *unused) {
    (void)unused;
    decision_object *o = (decision_object *)self;
    PyObject *revive = module_import("posse._posse", "_decision");
    if (revive == NULL) return NULL;
    return Py_BuildValue("N(Kiidy#KKdiiiOi)", revive, o->id, o->learner, o->arm, o->probability, (const char *)o->point,
                         Py_SIZE(self) * (Py_ssize_t)sizeof(double), o->maker, o->age, o->propensity, (int)o->probe,
                         (int)o->floor, (int)o->features, o->name != NULL ? o->name : Py_None, o->mode);
}

/*
 * Pickles of version 0.1 end with the point, those of versions without contexts with `probe`, and those of versions
 * without names before the name, and those of versions without modes with it.
 */
PyObject *decision_revive(PyObject *self, PyObject *arguments) {
    (void)self;
    unsigned long long id, maker = 0, age = 0;
    posse_decision d = {0};
    const char *point, *name = NULL;
    Py_ssize_t size;
    int probe = 0, floor = 0, features = 0;
    if (!PyArg_ParseTuple(arguments, "Kiidy#|KKdiiizi", &id, &d.learner, &d.arm, &d.probability, &point, &size, &maker,
                          &age, &d.propensity, &probe, &floor, &features, &name, &d.mode))
        return NULL;
    d.id = id;
    d.probe = probe != 0;
    d.floor = floor != 0;
    d.point = (const double *)point;
    decision_shape shape = {(int)(size / (Py_ssize_t)sizeof(double)), features != 0};
    return decision_new(&d, shape, name, maker, age);
}

PyTypeObject *decision_type(void) {
    static PyMemberDef members[] = {
        {"id", T_ULONGLONG, offsetof(decision_object, id), READONLY,
         "The number of the decision, counted from 1, and above it the epoch. Posse.learn and Posse.forget take it in place "
         "of the decision."},
        {"learner", T_INT, offsetof(decision_object, learner), READONLY,
         "The learner that decided, by place in Posse.learners."},
        {"probability", T_DOUBLE, offsetof(decision_object, probability), READONLY,
         "The probability with which the selector chose this learner, given the world that it drew; in (0, 1]."},
        {"probe", T_BOOL, offsetof(decision_object, probe), READONLY,
         "Whether the selector picked the arm itself. No learner then learns from its reward."},
        {"floor", T_BOOL, offsetof(decision_object, floor), READONLY,
         "Whether the selector's floor drew the arm, and the learner would have picked another."},
        {"age", T_ULONGLONG, offsetof(decision_object, age), READONLY,
         "The number of decisions made since, when Posse.pending_decisions listed it; 0 from Posse.decide."},
        {NULL, 0, 0, 0, NULL}};
    static PyGetSetDef properties[] = {
        {"arm", get_arm, NULL,
         "The arm to play. None: play `point`, on the continuous ball; or the application acts (`untold`), or there are no "
         "arms.",
         NULL},
        {"name", decision_get_name, NULL, "The name of the arm. None: arms have no names, or there is no arm.", NULL},
        {"point", get_point, NULL,
         "The arm's coordinates, an array; None for independent arms, if `untold`, and without arms.", NULL},
        {"features", decision_get_features, NULL,
         "The arm's features in that round, an array: first its own, then the shared ones. None if rounds have none, "
         "and if `untold`.",
         NULL},
        {"untold", get_untold, NULL,
         "Whether its learner is external, and the application has not reported the arm yet (Posse.acted).", NULL},
        {"mode", decision_get_mode, NULL,
         "What else determined the arm: 'holdback', 'kept' (by its unit), 'paused' or 'suggested'. None: nothing did.",
         NULL},
        {"propensity", get_propensity, NULL,
         "The probability of the arm: exact if the selector has a floor, given all earlier draws; otherwise estimated from "
         "Posse(propensity_draws=...). None: no estimate was asked for, or it is not known.",
         NULL},
        {NULL, NULL, NULL, NULL, NULL}};
    static PyMethodDef methods[] = {{"__reduce__", decision_reduce, METH_NOARGS, "For pickle."}, {NULL, NULL, 0, NULL}};
    static PyType_Slot slots[] = {
        {Py_tp_dealloc, decision_dealloc},
        {Py_tp_members, members},
        {Py_tp_getset, properties},
        {Py_tp_methods, methods},
        {Py_tp_repr, decision_repr},
        {Py_tp_richcompare, decision_compare},
        {Py_tp_hash, decision_hash},
        {Py_tp_doc, "A decision of a posse, and the learner that made it. Returned by Posse.decide."},
        {0, NULL}};
    static PyType_Spec spec = {"posse.Decision", offsetof(decision_object, point), sizeof(double),
                               Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
    return (PyTypeObject *)PyType_FromSpec(&spec);
}
