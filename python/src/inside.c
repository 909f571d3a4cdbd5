/* SPDX-License-Identifier: MIT */
#include "inside.h"

#include "array.h"
#include "errors.h"

typedef posse_error (*ask_reals)(const posse *p, double *out);

/* `lack` says what the selector does not have; the library has one sentence for all such quantities. */
static void *refuse(posse_error error, const char *lack) {
    if (error != POSSE_ERROR_ABSENT) return errors_raise(error, NULL);
    return errors_raise_named("AbsentError", posse_error_name(error), lack);
}

/*
 * An array of numbers that the library has for each learner or arm. They are copied before the array is made: making it
 * may run code of the user's, which may add learners.
 */
static PyObject *reals(PyObject *self, ask_reals ask, int count, const char *lack) {
    application *a = (application *)self;
    double *numbers = PyMem_Malloc(((size_t)count + 1) * sizeof *numbers);
    if (numbers == NULL) return PyErr_NoMemory();
    posse_error error = ask(a->posse, numbers);
    PyObject *array = error == POSSE_OK ? array_copy(numbers, (size_t)count, 'd') : refuse(error, lack);
    PyMem_Free(numbers);
    return array;
}

static const posse *posse_of(PyObject *self) {
    return ((application *)self)->posse;
}

static PyObject *get_potentials(PyObject *self, void *unused) {
    (void)unused;
    return reals(self, posse_potentials, posse_learner_count(posse_of(self)), "potentials: this selector has none");
}

static PyObject *get_probabilities(PyObject *self, void *unused) {
    (void)unused;
    return reals(self, posse_probabilities, posse_learner_count(posse_of(self)),
                 "probabilities: nobody was chosen yet");
}

static PyObject *get_means(PyObject *self, void *unused) {
    (void)unused;
    int arms = posse_arms(posse_of(self));
    return reals(self, posse_means, arms > 0 ? arms : posse_dim(posse_of(self)), "means: this selector has no belief");
}

static PyObject *get_plays(PyObject *self, void *unused) {
    (void)unused;
    size_t count = (size_t)posse_learner_count(posse_of(self));
    uint64_t *numbers = PyMem_Malloc((count + 1) * sizeof *numbers);
    if (numbers == NULL) return PyErr_NoMemory();
    posse_plays(posse_of(self), numbers);
    PyObject *array = array_copy(numbers, count, 'Q');
    PyMem_Free(numbers);
    return array;
}

static PyObject *get_clipped(PyObject *self, void *unused) {
    (void)unused;
    uint64_t rewards;
    posse_error error = posse_clipped(posse_of(self), &rewards);
    return error == POSSE_OK ? PyLong_FromUnsignedLongLong(rewards)
                             : refuse(error, "clipped: this selector has no range");
}

static PyObject *get_surprise(PyObject *self, void *unused) {
    (void)unused;
    double surprise;
    posse_error error = posse_surprise(posse_of(self), &surprise);
    return error == POSSE_OK ? PyFloat_FromDouble(surprise)
                             : refuse(error, "surprise: this selector does not watch its belief");
}

static PyObject *get_pending(PyObject *self, void *unused) {
    (void)unused;
    return PyLong_FromSize_t(posse_pending_count(posse_of(self)));
}

static PyObject *get_arms(PyObject *self, void *unused) {
    (void)unused;
    return PyLong_FromLong(posse_arms(posse_of(self)));
}

static PyObject *get_dim(PyObject *self, void *unused) {
    (void)unused;
    return PyLong_FromLong(posse_dim(posse_of(self)));
}

/* A tuple with an entry for each learner. */
static PyObject *by_place(PyObject *self, PyObject *(*entry)(const posse *p, int place)) {
    const posse *p = posse_of(self);
    PyObject *all = PyTuple_New(posse_learner_count(p));
    for (int i = 0; all != NULL && i < PyTuple_Size(all); i++) {
        PyObject *one = entry(p, i);
        if (one == NULL || PyTuple_SetItem(all, i, one) != 0) Py_CLEAR(all);
    }
    return all;
}

static PyObject *name_at(const posse *p, int place) {
    return PyUnicode_FromString(posse_learner_name(p, place));
}

static PyObject *active_at(const posse *p, int place) {
    return PyBool_FromLong(posse_learner_active(p, place));
}

static PyObject *get_learners(PyObject *self, void *unused) {
    (void)unused;
    return by_place(self, name_at);
}

static PyObject *get_active(PyObject *self, void *unused) {
    (void)unused;
    return by_place(self, active_at);
}

PyGetSetDef inside_properties[] = {
    {"learners", get_learners, NULL, "Names by place, retired ones included.", NULL},
    {"active", get_active, NULL, "By place: False for who has been retired.", NULL},
    {"pending", get_pending, NULL, "Decisions without a reward so far.", NULL},
    {"plays", get_plays, NULL, "How often each learner has been chosen.", NULL},
    {"potentials", get_potentials, NULL,
     "The selector's potential of each learner, of which it chooses the smallest. AbsentError.", NULL},
    {"probabilities", get_probabilities, NULL,
     "With which probability the latest choice took each of the learners. AbsentError: nobody was chosen yet.", NULL},
    {"means", get_means, NULL,
     "What the selector's belief expects of each arm or, on the ball, of theta. AbsentError: it has no belief.", NULL},
    {"clipped", get_clipped, NULL, "How many rewards lay outside the selector's `range`. AbsentError: it has none.",
     NULL},
    {"surprise", get_surprise, NULL,
     "How far the rewards speak against the selector's belief: the log Bayes factor of its robust form. AbsentError: it "
     "does not watch that.",
     NULL},
    {"arms", get_arms, NULL, "How many, retired ones included; 0 on the continuous ball.", NULL},
    {"dim", get_dim, NULL, "Of the space the arms are in; 0: independent arms.", NULL},
    {NULL, NULL, NULL, NULL, NULL}};
