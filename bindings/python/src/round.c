/* SPDX-License-Identifier: MIT */
#include "python/src/round.h"

#include "common/clock.h"
#include "posse_modes.h"
#include "python/src/argument.h"
#include "python/src/array.h"
#include "python/src/context.h"
#include "python/src/decision.h"
#include "python/src/errors.h"

/* --------------------------------------------- whose decision it is ---------------------------------------------- */

/* Whether another posse made the decision, and this one was loaded with it pending. */
static bool is_inherited(const application *a, uint64_t id) {
    posse_pending found;
    return a->inherited > 0 && posse_pending_find(a->posse, id, &found) == POSSE_OK &&
           posse_decision_count(a->posse) - found.age <= a->inherited;
}

bool round_is_own(const application *a, uint64_t id, uint64_t maker) {
    if (maker == 0 || maker == a->number || is_inherited(a, id)) return true;
    errors_raise_named("DecisionError", posse_error_name(POSSE_ERROR_UNKNOWN),
                       a->inherited > 0 ? "this decision was made by another posse, and it is not pending here"
                                        : "this decision was made by another posse");
    return false;
}

/* Enters the application, and gets the id of a decision of its own. False with an exception set. */
static bool enter_with(application *a, PyObject *decision, uint64_t *id) {
    uint64_t maker;
    if (!decision_id(decision, id, &maker) || !application_enter(a)) return false;
    if (round_is_own(a, *id, maker)) return true;
    application_leave(a);
    return false;
}

/* ---------------------------------------------------- a round ---------------------------------------------------- */

decision_shape round_shape(const application *a) {
    int features = posse_feature_count(a->posse);
    if (posse_nonzeros(a->posse) > 0) return (decision_shape){0}; /* sparse features are not kept with a decision */
    return (decision_shape){features > 0 ? features : posse_dim(a->posse), features > 0};
}

#define UNIT_BYTES 256

/* What a call asks for: a context, and the visit of the decision. */
typedef struct asked {
    context_parts parts;
    PyObject *unit, *now, *defer;
} asked;

/* The time that units keep their arms for is that of the clock, unless the application gives its own. */
static void round_look_at_clock(const application *a, const asked *w, posse_visit *visit) {
    bool needed = w->now == NULL && w->unit != NULL && posse_modes_of(a->posse).sticky_seconds > 0;
    if (needed) visit->now = (uint64_t)clock_date();
}

/* Takes the visit but its context. False with an exception set. */
static bool round_visit(const asked *w, posse_visit *out) {
    Py_ssize_t length = 0;
    *out = (posse_visit){0};
    if (w->unit != NULL && !PyUnicode_Check(w->unit)) {
        PyErr_SetString(PyExc_TypeError, "a unit is a text, such as the id of a visitor");
        return false;
    }
    if (w->unit != NULL && (out->unit = PyUnicode_AsUTF8AndSize(w->unit, &length)) == NULL) return false;
    out->unit_length = (size_t)length;
    if (w->unit != NULL && (length == 0 || length > UNIT_BYTES)) {
        errors_raise_argument("unit", "the name of a unit has 1 to %d bytes", UNIT_BYTES);
        return false;
    }
    int defers = w->defer != NULL ? PyObject_IsTrue(w->defer) : 0;
    out->defer = defers == 1;
    return defers >= 0 && argument_whole("now", w->now, 0, UINT64_MAX / 4, &out->now);
}

static posse_error round_make(application *a, const asked *w, posse_visit *visit, posse_decision *d) {
    if (w->parts.looks) return posse_peek(a->posse, visit, d);
    bool plain = visit->unit == NULL && !visit->defer;
    return plain ? posse_decide(a->posse, visit->context, d) : posse_decide_for(a->posse, visit, d);
}

static PyObject *round_decide_asked(application *a, given_context *x, const asked *w) {
    posse_decision d;
    posse_visit visit;
    PyObject *decision = NULL;
    if (!round_visit(w, &visit) || !context_enter(x, a)) return NULL;
    round_look_at_clock(a, w, &visit);
    visit.context = x->given ? &x->c : NULL;
    posse_error error = round_make(a, w, &visit, &d);
    if (context_made_well(x, a, error))
        decision = decision_new(&d, round_shape(a), posse_arm_name(a->posse, d.arm), a->number, 0);
    application_leave(a);
    return decision;
}

/* decide(context=None, *, points=None, .., defer=False); read by hand, because PyArg_Parse takes longer. */
static bool read_parts(PyObject *const *arguments, Py_ssize_t count, PyObject *keywords, asked *w) {
    context_parts *p = &w->parts;
    const struct {
        const char *name;
        PyObject **place;
    } known[] = {{"context", &p->context}, {"points", &p->points}, {"shared", &p->shared}, {"arms", &p->arms},
                 {"unit", &w->unit},       {"now", &w->now},       {"defer", &w->defer}};
    if (count == 1 && arguments[0] != Py_None) p->context = arguments[0];
    bool right = count <= 1;
    for (Py_ssize_t i = 0; right && keywords != NULL && i < PyTuple_Size(keywords); i++) {
        PyObject *name = PyTuple_GetItem(keywords, i), *value = arguments[count + i];
        int k = 0;
        while (k < 7 && PyUnicode_CompareWithASCIIString(name, known[k].name) != 0) k++;
        right = k < 7 && !(k == 0 && count == 1);
        if (right && value != Py_None) *known[k].place = value;
    }
    if (!right)
        PyErr_Format(PyExc_TypeError, "%s() takes a context, and points, shared, arms, unit, now and defer by name",
                     w->parts.looks ? "peek" : "decide");
    return right;
}

static PyObject *round_ask(PyObject *self, PyObject *const *arguments, Py_ssize_t count, PyObject *keywords,
                           bool looks) {
    application *a = (application *)self;
    asked w = {.parts.looks = looks};
    given_context x;
    if (!read_parts(arguments, count, keywords, &w)) return NULL;
    PyObject *decision = context_open(&x, a, &w.parts) ? round_decide_asked(a, &x, &w) : NULL;
    context_close(&x);
    return decision;
}

PyObject *round_decide(PyObject *self, PyObject *const *arguments, Py_ssize_t count, PyObject *keywords) {
    return round_ask(self, arguments, count, keywords, false);
}

PyObject *round_peek(PyObject *self, PyObject *const *arguments, Py_ssize_t count, PyObject *keywords) {
    return round_ask(self, arguments, count, keywords, true);
}

PyObject *round_activate(PyObject *self, PyObject *decision) {
    application *a = (application *)self;
    uint64_t id;
    if (!enter_with(a, decision, &id)) return NULL;
    return application_settle(a, posse_activate(a->posse, id));
}

/* A reward as a number. NumPy would warn of a masked one, or take the number behind the mask. */
static bool round_take_reward(PyObject *value, double *reward) {
    if (!array_check("unmasked_rewards", value, NULL)) return false;
    *reward = PyFloat_AsDouble(value);
    return *reward != -1.0 || !PyErr_Occurred();
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
    double reward;
    if (!round_take_reward(arguments[1], &reward) || !enter_with(a, arguments[0], &id)) return NULL;
    return application_settle(a, posse_learn(a->posse, id, reward));
}

PyObject *round_forget(PyObject *self, PyObject *decision) {
    application *a = (application *)self;
    uint64_t id;
    if (!enter_with(a, decision, &id)) return NULL;
    return application_settle(a, posse_forget(a->posse, id));
}

/* ------------------------------------------------- from outside -------------------------------------------------- */

/* A play from outside, and its context. */
typedef struct outside_play {
    argument_play play;
    given_context x;
} outside_play;

/* To be closed. False with an exception set: then there is nothing to close. */
static bool open_play(outside_play *o, application *a, PyObject *value, PyObject *in) {
    context_parts parts = {.context = in != Py_None ? in : NULL};
    if (!argument_play_open(&o->play, a, value)) return false;
    if (context_open(&o->x, a, &parts)) return true;
    context_close(&o->x);
    argument_play_close(&o->play);
    return false;
}

static void close_play(outside_play *o) {
    context_close(&o->x);
    argument_play_close(&o->play);
}

static posse_action round_action(const outside_play *o) {
    return (posse_action){o->play.arm, o->play.point, o->x.given ? &o->x.c : NULL};
}

static posse_error say_acted(application *a, uint64_t id, const outside_play *o) {
    posse_action action = round_action(o);
    return posse_acted(a->posse, id, &action);
}

static PyObject *round_act(application *a, PyObject *decision, outside_play *o) {
    uint64_t id;
    posse_pending told;
    if (!enter_with(a, decision, &id)) return NULL;
    context_complete(&o->x, a);
    posse_error error = say_acted(a, id, o);
    if (error == POSSE_OK && posse_pending_find(a->posse, id, &told) == POSSE_OK)
        decision_tell(decision, &told, posse_arm_name(a->posse, told.arm));
    return context_settle(&o->x, a, error);
}

/* An arm that is not known yet joins only with a decision that waits for it. */
static bool round_may_join(application *a, PyObject *decision, PyObject *value) {
    uint64_t id;
    posse_pending found;
    if (!PyUnicode_Check(value) || argument_find_arm(a, value) >= 0) return true;
    if (!enter_with(a, decision, &id)) return false;
    posse_error error = posse_pending_find(a->posse, id, &found);
    if (error == POSSE_OK && found.arm != POSSE_ARM_UNTOLD) error = POSSE_ERROR_SETTLED;
    bool ok = application_made_well(a, error, NULL);
    application_leave(a);
    return ok;
}

PyObject *round_acted(PyObject *self, PyObject *arguments, PyObject *keywords) {
    static char *names[] = {"", "", "context", NULL};
    application *a = (application *)self;
    PyObject *decision, *value, *in = Py_None;
    outside_play o;
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "OO|$O:acted", names, &decision, &value, &in) ||
        !round_may_join(a, decision, value) || !open_play(&o, a, value, in))
        return NULL;
    PyObject *answer = round_act(a, decision, &o);
    close_play(&o);
    return answer;
}

static posse_error say_taught(application *a, const outside_play *o, double reward) {
    posse_action action = round_action(o);
    return posse_teach(a->posse, &action, reward);
}

/* The reward of an arm that would join is checked first. */
static bool round_reward_fits(const application *a, double reward) {
    posse_rewards range = posse_reward_range(a->posse);
    if (reward >= range.low && reward <= range.high) return true;
    errors_raise(POSSE_ERROR_REWARD, NULL);
    return false;
}

static PyObject *round_teach_play(application *a, outside_play *o, double reward) {
    if (!context_enter(&o->x, a)) return NULL;
    return context_settle(&o->x, a, say_taught(a, o, reward));
}

PyObject *round_teach(PyObject *self, PyObject *arguments, PyObject *keywords) {
    static char *names[] = {"", "reward", "context", NULL};
    application *a = (application *)self;
    PyObject *value, *given, *in = Py_None;
    double reward;
    outside_play o;
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "OO|$O:teach", names, &value, &given, &in) ||
        !round_take_reward(given, &reward) || (PyUnicode_Check(value) && !round_reward_fits(a, reward)) ||
        !open_play(&o, a, value, in))
        return NULL;
    PyObject *answer = round_teach_play(a, &o, reward);
    close_play(&o);
    return answer;
}

/* ------------------------------------------------ what is pending ------------------------------------------------ */

static PyObject *new_pending(const application *a, const posse_pending *one) {
    posse_decision d = {.id = one->id,
                        .learner = one->learner,
                        .arm = one->arm,
                        .probability = one->probability,
                        .point = one->point,
                        .probe = one->probe,
                        .propensity = one->propensity,
                        .floor = one->floor,
                        .mode = one->mode};
    return decision_new(&d, round_shape(a), posse_arm_name(a->posse, d.arm), a->number, one->age);
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

PyObject *round_next_task(PyObject *self, PyObject *unused) {
    (void)unused;
    application *a = (application *)self;
    if (!application_enter(a)) return NULL;
    bool ok = application_made_well(a, posse_next_task(a->posse), NULL);
    application_leave(a);
    return ok ? Py_NewRef(Py_None) : NULL;
}

PyObject *round_expire(PyObject *self, PyObject *arguments, PyObject *keywords) {
    static char *names[] = {"", "deferred", NULL};
    application *a = (application *)self;
    PyObject *value;
    uint64_t age;
    size_t expired = 0;
    int deferred = 0;
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "O|$p:expire", names, &value, &deferred)) return NULL;
    if (!argument_whole("age", value, 0, UINT64_MAX, &age) || !application_enter(a)) return NULL;
    posse_error error =
        deferred ? posse_expire_deferred(a->posse, age, &expired) : posse_expire(a->posse, age, &expired);
    bool ok = application_made_well(a, error, NULL);
    application_leave(a);
    return ok ? PyLong_FromSize_t(expired) : NULL;
}
