/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "describe/convert.h"
#include "describe/prior_file.h"
#include "describe/trial.h"
#include "python/src/argument.h"
#include "python/src/array.h"
#include "python/src/context.h"
#include "python/src/decision.h"
#include "python/src/description.h"
#include "python/src/errors.h"

typedef struct environment_object {
    PyObject head;
    posse_environment *environment;
    posse_def def;        /* arms, dim, points, context, seed */
    posse_context latest; /* the latest round; without arms: there was none */
    pool *memory;         /* of the description that it was made from */
    unsigned int run;
} environment_object;

/* ---------------------------------------------------- making ----------------------------------------------------- */

/* Makes the environment once to collect its problems, and once more, without a log, to keep it. */
static bool environment_make(environment_object *o, description *from, uint64_t seed) {
    posse_part part = {0};
    reading r = {.memory = from->memory, .found = &from->found, .folder = "", .priors = prior_file_take};
    trial_listen(&r);
    bool fine = convert_part(&r, from->root, POSSE_FAMILY_ENVIRONMENT, &part) &&
                trial_environment(&r, from->root, &part, seed) &&
                convert_check_rows(&r, from->root, POSSE_FAMILY_ENVIRONMENT);
    posse_environment_free(r.environment);
    if (reading_failed(&r)) {
        PyErr_NoMemory();
        return false;
    }
    if (!fine || from->found.count > 0) {
        errors_raise_problems(&from->found, NULL);
        return false;
    }
    o->memory = from->memory;
    from->memory = NULL;
    posse_error error = posse_environment_create(&part, seed, NULL, &o->environment);
    if (error != POSSE_OK) errors_raise(error, NULL);
    return error == POSSE_OK;
}

static PyObject *new_environment(PyTypeObject *type, PyObject *arguments, PyObject *keywords) {
    static char *names[] = {"environment", "seed", NULL};
    PyObject *part, *seed_ = NULL;
    uint64_t seed = 1;
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "O|O:Environment", names, &part, &seed_)) return NULL;
    if (!argument_whole("seed", seed_, 0, UINT64_MAX, &seed)) return NULL;
    environment_object *o = module_allocate(type, 0);
    if (o == NULL) return NULL;
    description from;
    bool ok = description_of_part(&from, part) && from.root != NULL && environment_make(o, &from, seed);
    if (!ok && !PyErr_Occurred()) errors_raise_problems(&from.found, NULL);
    description_close(&from);
    if (!ok) {
        Py_DECREF(o);
        return NULL;
    }
    o->def = posse_environment_def(o->environment);
    return (PyObject *)o;
}

static void environment_dealloc(PyObject *self) {
    environment_object *o = (environment_object *)self;
    posse_environment_free(o->environment);
    pool_free(o->memory);
    module_free(self);
}

/* ---------------------------------------------------- playing ---------------------------------------------------- */

static PyObject *environment_begin(PyObject *self, PyObject *run_) {
    environment_object *o = (environment_object *)self;
    uint64_t run = 0;
    if (!argument_whole("run", run_, 0, UINT32_MAX, &run)) return NULL;
    o->run = (unsigned int)run;
    posse_environment_begin(o->environment, o->run);
    o->latest = (posse_context){0};
    return Py_NewRef(Py_None);
}

static PyObject *environment_next_task(PyObject *self, PyObject *unused) {
    (void)unused;
    environment_object *o = (environment_object *)self;
    posse_error error = posse_environment_next_task(o->environment);
    if (error != POSSE_OK)
        return errors_raise_named("AbsentError", posse_error_name(error), "next_task: a log is a single task");
    o->latest = (posse_context){0};
    return Py_NewRef(Py_None);
}

static PyObject *environment_next_round(PyObject *self, PyObject *unused) {
    (void)unused;
    environment_object *o = (environment_object *)self;
    posse_error error = posse_environment_round(o->environment, &o->latest);
    if (error == POSSE_OK) return context_new(&o->latest, o->def.dim, o->def.context);
    return errors_raise_named("AbsentError", posse_error_name(error),
                              "round: rounds of this environment have no features");
}

/* A function of the library that returns a number for a decision. */
typedef double answer(environment_object *o, const posse_decision *d);

static double reward_of(environment_object *o, const posse_decision *d) {
    return posse_environment_reward(o->environment, d);
}

static double regret_of(environment_object *o, const posse_decision *d) {
    return posse_environment_regret(o->environment, d);
}

static PyObject *environment_refuse_arm(const environment_object *o) {
    if (o->def.arms == 0)
        return PyErr_Format(PyExc_ValueError, "on the continuous ball an arm is a point, %d numbers", o->def.dim);
    return PyErr_Format(PyExc_ValueError, "there are only arms 0 to %d", o->def.arms - 1);
}

/* On the ball the arm is a point. */
static PyObject *environment_answer_point(environment_object *o, PyObject *point, answer *ask) {
    Py_buffer buffer;
    if (!array_take_reals(point, "point", &buffer)) return NULL;
    posse_decision d = {.arm = -1, .point = buffer.buf};
    bool fits = buffer.len == o->def.dim * (Py_ssize_t)sizeof(double);
    double number = fits ? ask(o, &d) : NAN;
    PyBuffer_Release(&buffer);
    return fits ? PyFloat_FromDouble(number) : environment_refuse_arm(o);
}

/* Whether rounds have features. */
static bool has_contexts(const environment_object *o) {
    return o->def.context > 0 || (o->def.arms > 0 && o->def.dim > 0 && o->def.points == NULL);
}

/* The features of an arm in the latest round. NULL with an exception set: the arm is not available. */
static const double *environment_features_of(const environment_object *o, int arm) {
    const posse_context *c = &o->latest;
    for (int k = 0; k < c->count; k++)
        if (c->arms[k] == arm) return c->points != NULL ? c->points + (ptrdiff_t)k * o->def.dim : c->shared;
    if (c->count > 0)
        PyErr_Format(PyExc_ValueError, "arm %d is not available in this round", arm);
    else
        PyErr_SetString(PyExc_ValueError, "round() comes first");
    return NULL;
}

static PyObject *answer_place(environment_object *o, Py_ssize_t arm, answer *ask) {
    if (arm < 0 || arm >= o->def.arms) return environment_refuse_arm(o);
    posse_decision d = {.arm = (int)arm};
    if (o->def.points != NULL) d.point = o->def.points + arm * o->def.dim;
    if (has_contexts(o) && (d.point = environment_features_of(o, d.arm)) == NULL) return NULL;
    return PyFloat_FromDouble(ask(o, &d));
}

/* An arm, or the decision that names it. */
static PyObject *answer_arm(PyObject *self, PyObject *arm_, answer *ask) {
    environment_object *o = (environment_object *)self;
    bool decided = Py_IS_TYPE(arm_, module.decision);
    PyObject *arm = decided ? PyObject_GetAttrString(arm_, o->def.arms == 0 ? "point" : "arm") : Py_NewRef(arm_);
    PyObject *number = NULL;
    if (arm != NULL && o->def.arms == 0)
        number = environment_answer_point(o, arm, ask);
    else if (arm != NULL) {
        Py_ssize_t place = PyNumber_AsSsize_t(arm, NULL);
        if (!PyErr_Occurred()) number = answer_place(o, place, ask);
    }
    Py_XDECREF(arm);
    return number;
}

static PyObject *environment_answer_reward(PyObject *self, PyObject *arm) {
    return answer_arm(self, arm, reward_of);
}

static PyObject *environment_answer_regret(PyObject *self, PyObject *arm) {
    return answer_arm(self, arm, regret_of);
}

static PyObject *environment_get_means(PyObject *self, void *unused) {
    (void)unused;
    environment_object *o = (environment_object *)self;
    void *means;
    PyObject *array = array_new((size_t)(o->def.arms > 0 ? o->def.arms : o->def.dim), 'd', &means);
    if (array != NULL) posse_environment_means(o->environment, means);
    return array;
}

static PyObject *get_points(PyObject *self, void *unused) {
    (void)unused;
    environment_object *o = (environment_object *)self;
    if (o->def.points == NULL) return Py_NewRef(Py_None);
    Py_ssize_t size = sizeof(double);
    array_shape shape = {.data = o->def.points,
                         .format = 'd',
                         .axes = 2,
                         .sizes = {o->def.arms, o->def.dim},
                         .strides = {o->def.dim * size, size}};
    return array_over(self, &shape);
}

static PyObject *environment_get_arms(PyObject *self, void *unused) {
    (void)unused;
    return PyLong_FromLong(((environment_object *)self)->def.arms);
}

static PyObject *environment_get_dim(PyObject *self, void *unused) {
    (void)unused;
    return PyLong_FromLong(((environment_object *)self)->def.dim);
}

static PyObject *get_context(PyObject *self, void *unused) {
    (void)unused;
    return PyLong_FromLong(((environment_object *)self)->def.context);
}

static PyObject *environment_get_seed(PyObject *self, void *unused) {
    (void)unused;
    return PyLong_FromUnsignedLongLong(((environment_object *)self)->def.seed);
}

static PyObject *get_run(PyObject *self, void *unused) {
    (void)unused;
    return PyLong_FromUnsignedLong(((environment_object *)self)->run);
}

static PyObject *environment_repr(PyObject *self) {
    const environment_object *o = (const environment_object *)self;
    char arms[40] = "the unit ball";
    if (o->def.arms > 0) snprintf(arms, sizeof arms, "%d arm%s", o->def.arms, o->def.arms == 1 ? "" : "s");
    return PyUnicode_FromFormat("<posse.Environment: %s, seed %llu, run %u>", arms, (unsigned long long)o->def.seed,
                                o->run);
}

PyTypeObject *environment_type(void) {
    static PyGetSetDef properties[] = {
        {"means", environment_get_means, NULL,
         "The mean reward of each arm; on the continuous ball, theta. If rounds have features: in the latest "
         "round, and NaN for arms that are not available. An array.",
         NULL},
        {"points", get_points, NULL, "The arms' coordinates, arms x dim; None if they have none.", NULL},
        {"arms", environment_get_arms, NULL, "How many arms there are; 0: the continuous ball.", NULL},
        {"dim", environment_get_dim, NULL,
         "The dimension of the arms; if rounds have features, the number of an arm's own features. 0: independent arms.",
         NULL},
        {"context", get_context, NULL, "The number of features of a round that all arms share; 0: there are none.",
         NULL},
        {"seed", environment_get_seed, NULL, "The seed it was made with.", NULL},
        {"run", get_run, NULL, "The run whose instance is played.", NULL},
        {NULL, NULL, NULL, NULL, NULL}};
    static PyMethodDef methods[] = {
        {"begin", environment_begin, METH_O,
         "begin($self, run, /)\n--\n\nDraws the instance of a run and rewinds the noise. A new environment is at run 0."},
        {"next_task", environment_next_task, METH_NOARGS,
         "next_task($self, /)\n--\n\nDraws the instance of the run's next task; `begin` has drawn that of the first. "
         "AbsentError: it is a log."},
        {"round", environment_next_round, METH_NOARGS,
         "round()\n--\n\nBegins the next round of an environment with features and returns it, as a posse.Context. Call it before "
         "each decision. AbsentError: rounds have no features."},
        {"reward", environment_answer_reward, METH_O,
         "reward($self, arm, /)\n--\n\nPlays an arm, a point of the ball or a Decision, and returns its reward. The noise "
         "of the n-th call after `begin` is the same whatever is played."},
        {"regret", environment_answer_regret, METH_O,
         "regret($self, arm, /)\n--\n\nThe best arm's mean reward less that of this arm, a point of the ball or a "
         "Decision."},
        {NULL, NULL, 0, NULL}};
    static PyType_Slot slots[] = {
        {Py_tp_new, new_environment},
        {Py_tp_dealloc, environment_dealloc},
        {Py_tp_repr, environment_repr},
        {Py_tp_getset, properties},
        {Py_tp_methods, methods},
        {Py_tp_doc, "Environment(environment, seed=1)\n--\n\nA bandit to play by hand, as experiments have it: a dict "
                    "with its kind and keys, or the kind alone. Run n of seed s is run n of an experiment with that "
                    "seed."},
        {0, NULL}};
    static PyType_Spec spec = {"posse.Environment", sizeof(environment_object), 0, Py_TPFLAGS_DEFAULT, slots};
    return (PyTypeObject *)PyType_FromSpec(&spec);
}
