/* SPDX-License-Identifier: MIT */
#include "python/src/stage.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "python/src/cast.h"
#include "python/src/draw.h"

typedef struct stage {
    cast *cast;
    PyObject *template; /* the object that was given */
    PyObject *bandit;   /* the copy that is played; NULL: none */
    PyObject *numbers_of, *round_of;
    int arms, dim;
    int features; /* of its own that each arm has in a round */
    int context;  /* features of a round that all arms share */
    bool moves;
    double *points; /* NULL: none */
    double *means;
    double best;    /* of the means of available arms */
    int *available; /* in the latest round */
    int available_count;
    double *row; /* the features of the latest round */
} stage;

static void stage_free(PyObject *capsule) {
    stage *s = PyCapsule_GetPointer(capsule, NULL);
    Py_XDECREF(s->template);
    Py_XDECREF(s->bandit);
    Py_XDECREF(s->numbers_of);
    Py_XDECREF(s->round_of);
    free(s->points);
    free(s->means);
    free(s->available);
    free(s->row);
    free(s);
}

/* A stage that the cast keeps. NULL with an exception set. */
static stage *stage_new(cast *c) {
    stage *s = calloc(1, sizeof *s);
    PyObject *capsule = s != NULL ? PyCapsule_New(s, NULL, stage_free) : PyErr_NoMemory();
    if (capsule == NULL) {
        free(s);
        return NULL;
    }
    s->cast = c;
    bool kept = cast_keep(c, capsule);
    Py_DECREF(capsule);
    return kept ? s : NULL;
}

/* -------------------------------------------------- what it returns ---------------------------------------------- */

/* Copies the numbers of an array of 8-byte numbers; `most` is the room. Returns their count, or -1 with an exception.
 */
static Py_ssize_t stage_copy(PyObject *array, void *out, size_t most) {
    Py_buffer buffer;
    if (PyObject_GetBuffer(array, &buffer, PyBUF_C_CONTIGUOUS) != 0) return -1;
    size_t count = (size_t)buffer.len / 8;
    if (count <= most) memcpy(out, buffer.buf, count * 8);
    PyBuffer_Release(&buffer);
    if (count <= most) return (Py_ssize_t)count;
    PyErr_SetString(PyExc_ValueError, "a round has more arms than there are");
    return -1;
}

static void stage_find_best(stage *s) {
    s->best = -INFINITY;
    for (int k = 0; k < s->available_count; k++)
        if (s->means[s->available[k]] > s->best) s->best = s->means[s->available[k]];
}

static bool stage_has_finite_means(const stage *s) {
    for (int k = 0; k < s->available_count; k++)
        if (!isfinite(s->means[s->available[k]])) return false;
    return true;
}

/* The class of the object, for messages; a new reference. */
static PyObject *stage_class(const stage *s) {
    return PyType_GetName(Py_TYPE(s->template));
}

static bool stage_take_means(stage *s) {
    PyObject *array = PyObject_CallFunction(s->numbers_of, "Oi", s->bandit, s->arms);
    bool taken = array != NULL && stage_copy(array, s->means, (size_t)s->arms) >= 0;
    Py_XDECREF(array);
    if (!taken) return false;
    stage_find_best(s);
    if (stage_has_finite_means(s)) return true;
    PyObject *name = stage_class(s);
    if (name != NULL) PyErr_Format(PyExc_ValueError, "%U.means() returned a number that is not finite", name);
    Py_XDECREF(name);
    return false;
}

static void stage_open_all(stage *s) {
    for (int arm = 0; arm < s->arms; arm++) s->available[arm] = arm;
    s->available_count = s->arms;
}

/* Numbers of a round; the library checks that its arms rise and that its features are finite. */
static bool stage_take_round(stage *s, PyObject *draw) {
    PyObject *round = PyObject_CallFunction(s->round_of, "OOii", s->bandit, draw, s->arms, s->features), *arms,
             *numbers;
    int64_t *listed = malloc((size_t)s->arms * sizeof *listed);
    if (listed == NULL) PyErr_NoMemory();
    bool taken = round != NULL && listed != NULL && PyArg_ParseTuple(round, "OO", &arms, &numbers);
    Py_ssize_t count = taken ? stage_copy(arms, listed, (size_t)s->arms) : -1;
    size_t room = s->features > 0 ? (size_t)s->arms * (size_t)s->features : (size_t)s->context;
    taken = count >= 0 && stage_copy(numbers, s->row, room) >= 0;
    for (Py_ssize_t k = 0; taken && k < count; k++) s->available[k] = (int)listed[k];
    s->available_count = taken ? (int)count : 0;
    for (int k = 0; taken && k < s->available_count; k++) {
        if (listed[k] >= 0 && listed[k] < s->arms && (k == 0 || listed[k] > listed[k - 1])) continue;
        PyErr_Format(PyExc_ValueError, "round() returned arm %lld, which is listed twice or does not exist",
                     (long long)listed[k]);
        taken = false;
    }
    free(listed);
    Py_XDECREF(round);
    return taken;
}

/* ------------------------------------------------------- calls --------------------------------------------------- */

static bool stage_begin_copy(stage *s, posse_draw *draw) {
    PyObject *lent = cast_draw(s->cast);
    Py_XDECREF(s->bandit);
    s->bandit = PyObject_CallFunctionObjArgs(module.deep_copy, s->template, NULL);
    if (s->bandit == NULL) return false;
    draw_lend(lent, draw);
    PyObject *answer = PyObject_CallMethod(s->bandit, "start", "O", lent);
    draw_lend(lent, NULL);
    Py_XDECREF(answer);
    stage_open_all(s);
    return answer != NULL && (s->features > 0 || s->context > 0 || stage_take_means(s));
}

static bool stage_bring_round(stage *s, posse_draw *draw) {
    PyObject *lent = cast_draw(s->cast);
    draw_lend(lent, draw);
    bool taken = stage_take_round(s, lent);
    draw_lend(lent, NULL);
    return taken && stage_take_means(s);
}

static bool stage_ask_reward(stage *s, int arm, posse_draw *noise, double *reward) {
    PyObject *lent = cast_draw(s->cast), *name = NULL;
    draw_lend(lent, noise);
    PyObject *answer = PyObject_CallMethod(s->bandit, "reward", "iO", arm, lent);
    draw_lend(lent, NULL);
    if (answer == NULL) return false;
    *reward = PyFloat_AsDouble(answer);
    if (PyErr_Occurred() && !PyErr_ExceptionMatches(PyExc_TypeError)) *reward = NAN;
    if (!isfinite(*reward) || PyErr_Occurred()) {
        PyErr_Clear();
        name = stage_class(s);
        if (name != NULL)
            PyErr_Format(PyExc_ValueError, "%U.reward() returned %.80R, which is no reward", name, answer);
    }
    Py_XDECREF(name);
    Py_DECREF(answer);
    return !PyErr_Occurred() && (!s->moves || s->features > 0 || s->context > 0 || stage_take_means(s));
}

/* ------------------------------------------------------ the kinds ------------------------------------------------ */

typedef struct plan {
    stage *stage;
} plan;

static stage *stage_of(const void *plan_) {
    return ((const plan *)plan_)->stage;
}

static bool stage_take_points(stage *s, PyObject *points) {
    Py_buffer buffer;
    if (points == Py_None) return true;
    if (PyObject_GetBuffer(points, &buffer, PyBUF_C_CONTIGUOUS) != 0) return false;
    s->dim = (int)(buffer.len / (Py_ssize_t)sizeof(double) / s->arms);
    s->points = malloc((size_t)buffer.len);
    if (s->points != NULL) memcpy(s->points, buffer.buf, (size_t)buffer.len);
    PyBuffer_Release(&buffer);
    if (s->points == NULL) PyErr_NoMemory();
    return s->points != NULL;
}

static bool stage_reserve(stage *s) {
    size_t arms = (size_t)s->arms, row = s->features > 0 ? arms * (size_t)s->features : (size_t)s->context;
    s->means = calloc(arms, sizeof *s->means);
    s->available = calloc(arms, sizeof *s->available);
    s->row = calloc(row + 1, sizeof *s->row);
    bool reserved = s->means != NULL && s->available != NULL && s->row != NULL;
    if (!reserved) PyErr_NoMemory();
    return reserved;
}

static bool stage_furnish(stage *s, PyObject *template) {
    PyObject *points, *call = module_import("posse.bandit", "furnish"), *given = NULL;
    int moves = 0;
    s->template = Py_NewRef(template);
    s->numbers_of = module_import("posse.bandit", "numbers_of");
    s->round_of = module_import("posse.bandit", "round_of");
    if (call != NULL && s->numbers_of != NULL && s->round_of != NULL)
        given = PyObject_CallFunctionObjArgs(call, template, NULL);
    bool furnished = given != NULL &&
                     PyArg_ParseTuple(given, "iOiip", &s->arms, &points, &s->features, &s->context, &moves) &&
                     stage_take_points(s, points) && stage_reserve(s);
    s->moves = moves != 0;
    Py_XDECREF(given);
    Py_XDECREF(call);
    return furnished;
}

static posse_error stage_make(const posse_setup *setup, cast *c, plan *p) {
    PyObject *template = cast_object(c, (Py_ssize_t)setup->settings[CAST_OBJECT].number, "posse.bandit", "Bandit");
    if (template == NULL && !PyErr_Occurred())
        return posse_setup_refuse(setup, NULL, -1, "a learner is no environment; it is derived from posse.Bandit");
    p->stage = template != NULL ? stage_new(c) : NULL;
    if (p->stage != NULL && stage_furnish(p->stage, template)) return POSSE_OK;
    cast_keep_exception(c);
    return posse_setup_refuse(setup, NULL, -1, "an environment in Python has raised an exception");
}

static posse_error stage_prepare(const posse_setup *setup, void **out) {
    cast *c = cast_present();
    if (c == NULL) return posse_setup_refuse(setup, NULL, -1, "an environment in Python is played by posse.run");
    plan *p = posse_setup_allocate(setup, sizeof *p);
    if (p == NULL) return POSSE_ERROR_MEMORY;
    cast_take_lock(c);
    posse_error error = stage_make(setup, c, p);
    cast_drop_lock(c);
    *out = p;
    return error;
}

static size_t stage_state_size(const void *plan_) {
    (void)plan_;
    return 0;
}

static posse_arm_set stage_arms(const void *plan_) {
    const stage *s = stage_of(plan_);
    return (posse_arm_set){s->arms, s->dim + s->features + s->context, s->points};
}

static posse_part stage_prior(const void *plan_) {
    (void)plan_;
    return (posse_part){0};
}

/* After a failure nothing is asked any more, and the next round or reward is one that the library refuses. */
static void stage_begin(const void *plan_, void *instance, const posse_space *space, posse_draw *draw) {
    (void)instance, (void)space;
    stage *s = stage_of(plan_);
    if (cast_failed(s->cast)) return;
    cast_take_lock(s->cast);
    if (!stage_begin_copy(s, draw)) cast_keep_exception(s->cast);
    cast_drop_lock(s->cast);
}

static void stage_bring(const void *plan_, void *instance, posse_draw *draw, posse_round *round) {
    (void)instance;
    stage *s = stage_of(plan_);
    *round = (posse_round){0};
    if (cast_failed(s->cast)) return;
    cast_take_lock(s->cast);
    bool brought = stage_bring_round(s, draw);
    if (!brought) cast_keep_exception(s->cast);
    cast_drop_lock(s->cast);
    if (!brought) return;
    int width = s->features + s->context;
    *round = (posse_round){.count = s->available_count,
                           .arms = s->available,
                           .features = s->row,
                           .width = width,
                           .stride = s->features > 0 ? (size_t)width : 0};
}

static double stage_reward(const void *plan_, void *instance, int arm, const double *point, posse_draw *noise) {
    (void)instance, (void)point;
    stage *s = stage_of(plan_);
    double reward = NAN;
    if (cast_failed(s->cast)) return NAN;
    cast_take_lock(s->cast);
    bool paid = stage_ask_reward(s, arm, noise, &reward);
    if (!paid) cast_keep_exception(s->cast);
    cast_drop_lock(s->cast);
    return paid ? reward : NAN;
}

static double stage_regret(const void *plan_, const void *instance, int arm, const double *point) {
    (void)instance, (void)point;
    const stage *s = stage_of(plan_);
    return s->best - s->means[arm];
}

static void stage_means(const void *plan_, const void *instance, const posse_space *space, double *out) {
    (void)instance, (void)space;
    const stage *s = stage_of(plan_);
    memcpy(out, s->means, (size_t)s->arms * sizeof *out);
}

static bool stage_shares(const void *plan_) {
    return stage_of(plan_)->context > 0;
}

#define STAGE(name_, help_)                                                                                            \
    .kind = {.version = POSSE_EXTENSION_VERSION,                                                                       \
             .name = name_,                                                                                            \
             .help = help_,                                                                                            \
             .params = cast_params,                                                                                    \
             .prepare = stage_prepare,                                                                                 \
             .state_size = stage_state_size},                                                                          \
    .arms = stage_arms, .prior = stage_prior, .begin = stage_begin, .reward = stage_reward, .regret = stage_regret,    \
    .means = stage_means

static const posse_environment_ops stage_kinds[] = {
    {STAGE("python", "an environment written in Python")},
    {STAGE("python-moving", "an environment written in Python whose mean rewards change"), .moves = true},
    {STAGE("python-rounds", "an environment written in Python whose rounds have features"), .bring = stage_bring,
     .shares = stage_shares}};

posse_error stage_register_kinds(void) {
    posse_error error = POSSE_OK;
    for (size_t i = 0; i < sizeof stage_kinds / sizeof *stage_kinds && error == POSSE_OK; i++)
        error = posse_environment_register(&stage_kinds[i]);
    return error;
}
