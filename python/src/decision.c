/* SPDX-License-Identifier: MIT */
#include "decision.h"

#include <stddef.h>
#include <string.h>
#include <structmember.h>

#include "array.h"

typedef struct decision_object {
    PyVarObject head;
    unsigned long long id;
    int learner, arm;
    double probability;
    char probe;     /* 0 or 1, as Python's T_BOOL has it */
    double point[]; /* as many as the head says */
} decision_object;

PyObject *decision_new(const posse_decision *d, int dim) {
    decision_object *o = module_allocate(module.decision, dim);
    if (o == NULL) return NULL;
    o->id = d->id;
    o->learner = d->learner;
    o->arm = d->arm;
    o->probability = d->probability;
    o->probe = d->probe;
    if (dim > 0) memcpy(o->point, d->point, (size_t)dim * sizeof(double));
    return (PyObject *)o;
}

bool decision_id(PyObject *decision, uint64_t *id) {
    if (Py_IS_TYPE(decision, module.decision)) {
        *id = ((decision_object *)decision)->id;
        return true;
    }
    if (!PyLong_Check(decision)) {
        PyErr_SetString(PyExc_TypeError, "a Decision, or its id, is needed here");
        return false;
    }
    *id = PyLong_AsUnsignedLongLong(decision);
    if (!PyErr_Occurred()) return true;
    if (!PyErr_ExceptionMatches(PyExc_OverflowError)) return false;
    PyErr_Clear(); /* no decision has it, nor 0 */
    *id = 0;
    return true;
}

static PyObject *get_point(PyObject *self, void *unused) {
    (void)unused;
    decision_object *o = (decision_object *)self;
    if (Py_SIZE((PyObject *)o) == 0) return Py_NewRef(Py_None);
    array_shape shape = {
        .data = o->point, .format = 'd', .axes = 1, .sizes = {Py_SIZE((PyObject *)o)}, .strides = {sizeof(double)}};
    return array_over(self, &shape);
}

static PyObject *repr(PyObject *self) {
    decision_object *o = (decision_object *)self;
    PyObject *probability = PyFloat_FromDouble(o->probability);
    if (probability == NULL) return NULL;
    PyObject *text = PyUnicode_FromFormat("Decision(id=%llu, learner=%d, arm=%d, probability=%R, probe=%s)", o->id,
                                          o->learner, o->arm, probability, o->probe ? "True" : "False");
    Py_DECREF(probability);
    return text;
}

/* A copy is equal to the original, and so is what comes back from a pickle. */
static PyObject *compare(PyObject *self, PyObject *other, int how) {
    if ((how != Py_EQ && how != Py_NE) || !Py_IS_TYPE(other, module.decision)) return Py_NewRef(Py_NotImplemented);
    const decision_object *a = (decision_object *)self, *b = (decision_object *)other;
    bool equal = a->id == b->id && a->learner == b->learner && a->arm == b->arm && a->probability == b->probability &&
                 a->probe == b->probe && Py_SIZE(self) == Py_SIZE(other) &&
                 memcmp(a->point, b->point, (size_t)Py_SIZE(self) * sizeof(double)) == 0;
    return PyBool_FromLong(equal == (how == Py_EQ));
}

static Py_hash_t hash(PyObject *self) {
    const decision_object *o = (decision_object *)self;
    PyObject *key = Py_BuildValue("Kiid", o->id, o->learner, o->arm, o->probability);
    Py_hash_t number = key != NULL ? PyObject_Hash(key) : -1;
    Py_XDECREF(key);
    return number;
}

static PyObject *reduce(PyObject *self, PyObject *unused) {
    (void)unused;
    decision_object *o = (decision_object *)self;
    PyObject *revive = module_import("posse._posse", "_decision");
    return revive != NULL ? Py_BuildValue("N(Kiidiy#)", revive, o->id, o->learner, o->arm, o->probability, o->probe,
                                          (const char *)o->point, Py_SIZE((PyObject *)o) * (Py_ssize_t)sizeof(double))
                          : NULL;
}

PyObject *decision_revive(PyObject *self, PyObject *arguments) {
    (void)self;
    unsigned long long id;
    posse_decision d;
    const char *point;
    Py_ssize_t size;
    int probe;
    if (!PyArg_ParseTuple(arguments, "Kiidiy#", &id, &d.learner, &d.arm, &d.probability, &probe, &point, &size))
        return NULL;
    d.id = id;
    d.probe = probe != 0;
    d.point = (const double *)point;
    return decision_new(&d, (int)(size / (Py_ssize_t)sizeof(double)));
}

PyTypeObject *decision_type(void) {
    static PyMemberDef members[] = {
        {"id", T_ULONGLONG, offsetof(decision_object, id), READONLY,
         "Counts from 1. Posse.learn and Posse.forget take it in place of the decision."},
        {"arm", T_INT, offsetof(decision_object, arm), READONLY, "What to play; -1: `point`, on the continuous ball."},
        {"learner", T_INT, offsetof(decision_object, learner), READONLY, "Who decided, by place in Posse.learners."},
        {"probability", T_DOUBLE, offsetof(decision_object, probability), READONLY,
         "With which the selector chose this learner given what it had drawn, in (0, 1]."},
        {"probe", T_BOOL, offsetof(decision_object, probe), READONLY,
         "Whether the selector named the arm itself; then no learner learns from its reward."},
        {NULL, 0, 0, 0, NULL}};
    static PyGetSetDef properties[] = {
        {"point", get_point, NULL, "The arm's coordinates, an array; None for independent arms.", NULL},
        {NULL, NULL, NULL, NULL, NULL}};
    static PyMethodDef methods[] = {{"__reduce__", reduce, METH_NOARGS, "For pickle."}, {NULL, NULL, 0, NULL}};
    static PyType_Slot slots[] = {{Py_tp_dealloc, module_free},
                                  {Py_tp_members, members},
                                  {Py_tp_getset, properties},
                                  {Py_tp_methods, methods},
                                  {Py_tp_repr, repr},
                                  {Py_tp_richcompare, compare},
                                  {Py_tp_hash, hash},
                                  {Py_tp_doc, "What a posse decided, and to whose credit. Made by Posse.decide."},
                                  {0, NULL}};
    static PyType_Spec spec = {"posse.Decision", offsetof(decision_object, point), sizeof(double),
                               Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
    return (PyTypeObject *)PyType_FromSpec(&spec);
}
