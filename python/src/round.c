/* SPDX-License-Identifier: MIT */
#include "round.h"

#include "argument.h"
#include "decision.h"
#include "errors.h"

/* --------------------------------------------- whose decision it is ---------------------------------------------- */

/* Whether another posse made the decision, and this one was loaded with it pending. */
static bool is_inherited(const application *a, uint64_t id) {
    posse_pending found;
    return a->inherited > 0 && posse_pending_find(a->posse, id, &found) == POSSE_OK &&
           posse_decisions(a->posse) - found.age <= a->inherited;
}

/*
 * Enters, with the id of the decision that is meant. Two posses give the same ids away, so a decision of another posse
 * is refused by name. False with an exception set.
 */
static bool enter_with(application *a, PyObject *decision, uint64_t *id) {
    uint64_t maker;
    if (!decision_id(decision, id, &maker) || !application_enter(a)) return false;
    if (maker == 0 || maker == a->number || is_inherited(a, *id)) return true;
    errors_raise_named("DecisionError", posse_error_name(POSSE_ERROR_UNKNOWN),
                       a->inherited > 0 ? "this decision was made by another posse, and it is not pending here"
                                        : "this decision was made by another posse");
    application_leave(a);
    return false;
}

/* ---------------------------------------------------- a round ---------------------------------------------------- */

PyObject *round_decide(PyObject *self, PyObject *unused) {
    (void)unused;
    application *a = (application *)self;
    posse_decision d;
    PyObject *decision = NULL;
    if (!application_enter(a)) return NULL;
    posse_error error = posse_decide(a->posse, &d);
    if (application_made_well(a, error, NULL)) decision = decision_new(&d, posse_dim(a->posse), a->number, 0);
    application_leave(a);
    return decision;
}

/* learn(decision, reward), where the reward may come by name. */
PyObject *round_learn(PyObject *self, PyObject *const *arguments, Py_ssize_t count, PyObject *keywords) {
    application *a = (application *)self;
    Py_ssize_t named = keywords != NULL ? PyTuple_Size(keywords) : 0;
    bool right = count + named == 2 && count >= 1;
    if (right && named == 1) right = PyUnicode_CompareWithASCIIString(PyTuple_GetItem(keywords, 0), "reward") == 0;
    if (!right) {
        PyErr_SetString(PyExc_TypeError, "learn() takes a decision and a reward");
        return NULL;
    }
    uint64_t id;
    double reward = PyFloat_AsDouble(arguments[1]);
    if ((reward == -1.0 && PyErr_Occurred()) || !enter_with(a, arguments[0], &id)) return NULL;
    return application_settle(a, posse_learn(a->posse, id, reward));
}

PyObject *round_forget(PyObject *self, PyObject *decision) {
    application *a = (application *)self;
    uint64_t id;
    if (!enter_with(a, decision, &id)) return NULL;
    return application_settle(a, posse_forget(a->posse, id));
}

/* ------------------------------------------------- from outside -------------------------------------------------- */

static PyObject *act(application *a, PyObject *decision, const argument_play *play) {
    uint64_t id;
    posse_pending told;
    if (!enter_with(a, decision, &id)) return NULL;
    posse_error error =
        play->point != NULL ? posse_acted_at(a->posse, id, play->point) : posse_acted(a->posse, id, play->arm);
    if (error == POSSE_OK && posse_pending_find(a->posse, id, &told) == POSSE_OK) decision_tell(decision, &told);
    return application_settle(a, error);
}

PyObject *round_acted(PyObject *self, PyObject *arguments) {
    application *a = (application *)self;
    PyObject *decision, *value;
    argument_play play;
    if (!PyArg_ParseTuple(arguments, "OO:acted", &decision, &value) || !argument_play_open(&play, a, value))
        return NULL;
    PyObject *answer = act(a, decision, &play);
    argument_play_close(&play);
    return answer;
}

static PyObject *teach(application *a, const argument_play *play, double reward) {
    if (!application_enter(a)) return NULL;
    return application_settle(a, play->point != NULL ? posse_teach_at(a->posse, play->point, reward)
                                                     : posse_teach(a->posse, play->arm, reward));
}

PyObject *round_teach(PyObject *self, PyObject *arguments, PyObject *keywords) {
    static char *names[] = {"", "reward", NULL};
    application *a = (application *)self;
    PyObject *value;
    double reward;
    argument_play play;
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "Od:teach", names, &value, &reward) ||
        !argument_play_open(&play, a, value))
        return NULL;
    PyObject *answer = teach(a, &play, reward);
    argument_play_close(&play);
    return answer;
}

/* ------------------------------------------------ what is pending ------------------------------------------------ */

static PyObject *new_pending(const application *a, const posse_pending *one) {
    posse_decision d = {.id = one->id,
                        .learner = one->learner,
                        .arm = one->arm,
                        .probability = one->probability,
                        .point = one->point,
                        .probe = one->probe};
    return decision_new(&d, posse_dim(a->posse), a->number, one->age);
}

static PyObject *list_pending(const application *a) {
    size_t count = posse_pending_count(a->posse);
    posse_pending *pending = PyMem_Malloc((count + 1) * sizeof *pending);
    PyObject *list = pending != NULL ? PyList_New(0) : PyErr_NoMemory();
    if (list != NULL) posse_pending_list(a->posse, pending);
    for (size_t i = 0; list != NULL && i < count; i++) {
        PyObject *one = new_pending(a, &pending[i]);
        if (one == NULL || PyList_Append(list, one) != 0) Py_CLEAR(list);
        Py_XDECREF(one);
    }
    PyMem_Free(pending);
    return list;
}

PyObject *round_pending(PyObject *self, PyObject *unused) {
    (void)unused;
    application *a = (application *)self;
    if (!application_enter(a)) return NULL;
    PyObject *list = list_pending(a);
    application_leave(a);
    return list;
}

PyObject *round_expire(PyObject *self, PyObject *value) {
    application *a = (application *)self;
    uint64_t age;
    size_t expired = 0;
    if (!argument_whole("age", value, 0, UINT64_MAX, &age) || !application_enter(a)) return NULL;
    bool ok = application_made_well(a, posse_expire(a->posse, age, &expired), NULL);
    application_leave(a);
    return ok ? PyLong_FromSize_t(expired) : NULL;
}
