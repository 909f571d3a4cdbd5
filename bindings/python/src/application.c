/* SPDX-License-Identifier: MIT */
#include "python/src/application.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "describe/definition.h"
#include "describe/feature_map.h"
#include "describe/prior_file.h"
#include "posse_inside.h"
#include "python/src/argument.h"
#include "python/src/array.h"
#include "python/src/batch.h"
#include "python/src/description.h"
#include "python/src/errors.h"
#include "python/src/inside.h"
#include "python/src/modes.h"
#include "python/src/round.h"
#include "python/src/snapshot.h"

/* ------------------------------------------------ one at a time -------------------------------------------------- */

bool application_enter_to_read(application *a) {
    unsigned long own = PyThread_get_thread_ident();
    if (!PyThread_acquire_lock(a->lock, NOWAIT_LOCK)) {
        if (a->holder == own) return false;
        PyThreadState *state = PyEval_SaveThread();
        PyThread_acquire_lock(a->lock, WAIT_LOCK);
        PyEval_RestoreThread(state);
    }
    a->holder = own;
    return true;
}

bool application_enter(application *a) {
    if (!application_enter_to_read(a)) {
        PyErr_SetString(PyExc_RuntimeError, "a learner cannot call the posse that is calling it");
        return false;
    }
    a->told[0] = '\0';
    return true;
}

void application_leave(application *a) {
    a->holder = 0;
    PyThread_release_lock(a->lock);
}

/* ------------------------------------------- making and freeing ------------------------------------------------- */

static void take_message(void *context, const posse_place *place, const char *message) {
    application *a = context;
    if (a->log != NULL)
        message_log_take(a->log, place, message);
    else {
        posse_place whole = place != NULL ? (posse_place){place->outer, place->name, -1} : (posse_place){.index = -1};
        snprintf(a->told, sizeof a->told, "%s", message);
        a->place[0] = '\0';
        a->index = place != NULL ? place->index : -1;
        if (place != NULL) posse_place_text(&whole, a->place, sizeof a->place);
    }
}

posse_host application_host(application *a) {
    return (posse_host){.log = {take_message, a}};
}

/*
 * A random number that no other posse has, not even in another process, because decisions are pickled. 0: an exception
 * is set.
 */
static uint64_t draw_number(void) {
    uint64_t number = 0;
    PyObject *bytes = PyObject_CallFunction(module.random_bytes, "i", (int)sizeof number);
    if (bytes == NULL) return 0;
    memcpy(&number, PyBytes_AsString(bytes), sizeof number);
    Py_DECREF(bytes);
    return number | 1;
}

application *application_allocate(void) {
    application *a = module_allocate(module.application, 0);
    if (a == NULL) return NULL;
    a->number = draw_number();
    a->lock = PyThread_allocate_lock();
    a->numbers = PyList_New(0);
    if (a->number != 0 && a->lock != NULL && a->numbers != NULL) return a;
    if (a->lock == NULL) PyErr_NoMemory();
    Py_DECREF(a);
    return NULL;
}

static int application_traverse(PyObject *self, visitproc visit, void *arg) {
    application *a = (application *)self;
    Py_VISIT(Py_TYPE(self));
    return a->cast != NULL ? cast_traverse(a->cast, visit, arg) : 0;
}

static int application_clear(PyObject *self) {
    application *a = (application *)self;
    if (a->cast != NULL) cast_clear(a->cast);
    return 0;
}

static void application_dealloc(PyObject *self) {
    application *a = (application *)self;
    PyObject_GC_UnTrack(self);
    posse_free(a->posse);
    cast_free(a->cast);
    Py_XDECREF(a->numbers);
    if (a->lock != NULL) PyThread_free_lock(a->lock);
    module_free(self);
}

bool application_made_well(application *a, posse_error error, message_log *log) {
    if (cast_raise(a->cast)) return false;
    if (error == POSSE_OK) return true;
    if (log == NULL && a->told[0] != '\0')
        errors_raise_told(error, a->told);
    else
        errors_raise(error, log);
    return false;
}

PyObject *application_settle(application *a, posse_error error) {
    bool ok = application_made_well(a, error, NULL);
    application_leave(a);
    return ok ? Py_NewRef(Py_None) : NULL;
}

/* Learners in Python have the kind "python" and their number as the one option. */
static bool note_number(application *a, const posse_part *learner) {
    bool python = strcmp(learner->kind, "python") == 0;
    PyObject *number = PyLong_FromLong(python ? (long)learner->options[0].number : -1);
    bool noted = number != NULL && PyList_Append(a->numbers, number) == 0;
    Py_XDECREF(number);
    return noted;
}

/* Raises the problems of a definition that could not be read, or MemoryError. Returns false. */
static bool refuse_definition(description *from) {
    if (from->found.count > 0 && !problems_failed(&from->found))
        errors_raise_problems(&from->found, NULL);
    else
        PyErr_NoMemory();
    return false;
}

/* Makes the posse, with a log that refers to the description. */
static posse_error application_create(application *a, const posse_def *def, message_log *log) {
    problems_open(&log->found, NULL);
    a->log = log;
    cast *before = cast_enter(a->cast);
    posse_error error = posse_create(def, &a->posse);
    cast_leave(before);
    a->log = NULL;
    return error;
}

static bool application_make_posse(application *a, posse_def *def, description *from) {
    definition d;
    const node *features = node_find(from->root, "features");
    if (features != NULL) def->features = feature_map_described(&from->found, features, from->memory);
    if (!definition_read(&d, &from->root, from->memory, &from->found, def, prior_file_take))
        return refuse_definition(from);
    message_log log = {.root = from->root};
    def->prior = d.prior;
    def->selector = d.selector;
    def->learners = d.learners;
    def->learner_count = d.learner_count;
    def->host = application_host(a);
    posse_error error = application_create(a, def, &log);
    bool ok = application_made_well(a, error, &log);
    problems_close(&log.found);
    for (int i = 0; ok && i < d.learner_count; i++) ok = note_number(a, &d.learners[i]);
    return ok;
}

/*
 * Whether a learner in Python may join: the propensity of a decision would need a copy of the learner for every draw.
 */
static bool may_hire(uint32_t propensity_draws) {
    if (propensity_draws == 0) return true;
    errors_raise_argument("propensity_draws",
                          "decisions of learners in Python have no propensity; Posse.propensities estimates it");
    return false;
}

/* Learners in Python get a cast of their own. It registers their kind, so it is made before the definition is read. */
static bool application_hire(application *a, const posse_def *def, const description *from) {
    if (PyList_Size(from->learners) == 0) return true;
    if (may_hire(def->propensity_draws)) a->cast = cast_make(from->learners);
    return a->cast != NULL;
}

static PyObject *application_make(posse_def *def, description *from) {
    application *a = application_allocate();
    if (a == NULL) return NULL;
    if (from->root == NULL)
        refuse_definition(from);
    else if (application_hire(a, def, from) && application_make_posse(a, def, from))
        return (PyObject *)a;
    Py_DECREF(a);
    return NULL;
}

/* Arguments of Posse(); NULL: not given. */
typedef struct arguments {
    PyObject *arms, *selector, *learners, *dim, *points, *context, *prior, *rewards, *seed, *run, *rounds;
    PyObject *expire_after, *expire_reward, *propensity_draws, *joins, *report, *nonzeros, *features;
} arguments;

static PyObject *describe_and_make(posse_def *def, PyObject *selector, const arguments *g) {
    description from;
    PyObject *self = description_of_posse(&from, selector, g->learners, g->prior, g->rewards, g->features)
                         ? application_make(def, &from)
                         : NULL;
    description_close(&from);
    return self;
}

/* For arguments where None means the same as no argument. */
static PyObject *application_unless_none(PyObject *value) {
    return value != Py_None ? value : NULL;
}

static bool application_parse(PyObject *given, PyObject *keywords, arguments *g) {
    static char *names[] = {
        "arms",     "selector", "learners", "dim",          "points",        "context",          "prior", "rewards",
        "seed",     "run",      "rounds",   "expire_after", "expire_reward", "propensity_draws", "joins", "report",
        "nonzeros", "features", NULL};
    *g = (arguments){.learners = Py_None, .prior = Py_None, .rewards = Py_None, .features = Py_None};
    if (!PyArg_ParseTupleAndKeywords(given, keywords, "|OOO$OOOOOOOOOOOOOOO:Posse", names, &g->arms, &g->selector,
                                     &g->learners, &g->dim, &g->points, &g->context, &g->prior, &g->rewards, &g->seed,
                                     &g->run, &g->rounds, &g->expire_after, &g->expire_reward, &g->propensity_draws,
                                     &g->joins, &g->report, &g->nonzeros, &g->features))
        return false;
    g->arms = application_unless_none(g->arms);
    g->points = application_unless_none(g->points);
    g->expire_after = application_unless_none(g->expire_after);
    g->expire_reward = application_unless_none(g->expire_reward);
    return true;
}

static bool take_expiry(const arguments *g, posse_def *def) {
    if (!argument_whole("expire_after", g->expire_after, 1, UINT64_MAX, &def->expire_after)) return false;
    def->expire_learns = g->expire_reward != NULL;
    if (def->expire_learns) def->expire_reward = PyFloat_AsDouble(g->expire_reward);
    return !PyErr_Occurred();
}

/* Arms are a number, or a sequence of names. Sets, dicts and generators are neither. */
static bool take_arms(PyObject *arms, uint64_t *out) {
    if (arms == NULL || argument_are_names(arms)) return true;
    if (PyIndex_Check(arms) || !PyObject_HasAttrString(arms, "__iter__"))
        return argument_whole("arms", arms, 0, INT32_MAX, out);
    return errors_raise_argument("arms", "must be a number, or a list of names") != NULL;
}

static bool application_take_numbers(const arguments *g, posse_def *def) {
    uint64_t arms = 0, dim = 0, context = 0, run = def->run, draws = 0, joins = 0, nonzeros = 0;
    int report = g->report != NULL ? PyObject_IsTrue(g->report) : 1;
    if (report < 0 || !argument_whole("joins", g->joins, 0, INT32_MAX, &joins) || !take_arms(g->arms, &arms) ||
        !argument_whole("dim", g->dim, 0, INT32_MAX, &dim) ||
        !argument_whole("context", g->context, 0, INT32_MAX, &context) ||
        !argument_whole("nonzeros", g->nonzeros, 0, INT32_MAX, &nonzeros) ||
        !argument_whole("seed", g->seed, 0, UINT64_MAX, &def->seed) ||
        !argument_whole("run", g->run, 0, UINT32_MAX, &run) ||
        !argument_whole("rounds", g->rounds, 0, UINT64_MAX, &def->rounds) || !take_expiry(g, def) ||
        !argument_whole("propensity_draws", g->propensity_draws, 0, UINT32_MAX, &draws))
        return false;
    def->arms = (int)arms;
    def->dim = (int)dim;
    def->context = (int)context;
    def->nonzeros = (int)nonzeros;
    def->run = (uint32_t)run;
    def->propensity_draws = (uint32_t)draws;
    def->joins = (int)joins;
    def->report = report != 0;
    return true;
}

static PyObject *new_application(PyTypeObject *type, PyObject *given, PyObject *keywords) {
    (void)type;
    arguments g;
    posse_def def = posse_default_def();
    Py_buffer buffer = {0};
    if (!application_parse(given, keywords, &g) || !application_take_numbers(&g, &def)) return NULL;
    PyObject *names = NULL; /* the texts that def.names points to */
    if (argument_are_names(g.arms) && (names = argument_names(g.arms, &def)) == NULL) return NULL;
    if (g.points != NULL && !argument_points(g.points, &buffer, &def)) {
        argument_names_close(names, &def);
        return NULL;
    }
    PyObject *selector = g.selector != NULL ? Py_NewRef(g.selector) : PyUnicode_FromString(def.selector.kind);
    PyObject *self = selector != NULL ? describe_and_make(&def, selector, &g) : NULL;
    Py_XDECREF(selector);
    argument_names_close(names, &def);
    if (g.points != NULL) PyBuffer_Release(&buffer);
    return self;
}

/* -------------------------------------------- adding and retiring ------------------------------------------------ */

/* The place of the learner with a name, or -1. A text that is not UTF-8, or that has a NUL, is no learner's name. */
static int place_of_name(const application *a, PyObject *name) {
    Py_ssize_t length;
    const char *wanted = PyUnicode_AsUTF8AndSize(name, &length);
    if (wanted == NULL) PyErr_Clear();
    if (wanted == NULL || strlen(wanted) != (size_t)length) return -1;
    for (int i = 0; i < posse_learner_count(a->posse); i++)
        if (strcmp(posse_learner_name(a->posse, i), wanted) == 0) return i;
    return -1;
}

/* The place of a learner that was named by its place or its name. -1 with an exception set. */
static int find_place(const application *a, PyObject *learner) {
    Py_ssize_t place = PyUnicode_Check(learner) ? place_of_name(a, learner) : PyNumber_AsSsize_t(learner, NULL);
    if (place >= 0 && place < posse_learner_count(a->posse)) return (int)place;
    if (!PyErr_Occurred()) errors_raise(POSSE_ERROR_LEARNER, NULL);
    return -1;
}

/* The number in the cast of the learner at a place, or -1. */
static Py_ssize_t number_at(application *a, int place) {
    return PyLong_AsSsize_t(PyList_GetItem(a->numbers, place));
}

static int add_part(application *a, const posse_part *learner, const node *part) {
    message_log log = {.root = part, .is_part = true};
    int place = -1;
    problems_open(&log.found, NULL);
    a->log = &log;
    cast *before = cast_enter(a->cast);
    posse_error error = posse_learner_add(a->posse, learner, &place);
    cast_leave(before);
    a->log = NULL;
    bool ok = application_made_well(a, error, &log) && note_number(a, learner);
    problems_close(&log.found);
    return ok ? place : -1;
}

/* The number in the cast that a learner in Python gets; -1: it is not in Python. False with an exception set. */
static bool join_cast(application *a, const description *from, Py_ssize_t *number) {
    *number = -1;
    if (PyList_Size(from->learners) == 0) return true;
    if (!may_hire(posse_propensity_draws(a->posse))) return false;
    if (a->cast == NULL) {
        a->cast = cast_make(from->learners);
        *number = 0;
        return a->cast != NULL;
    }
    *number = cast_add(a->cast, PyList_GetItem(from->learners, 0));
    return *number >= 0;
}

static int add_description(application *a, description *from) {
    definition d;
    posse_def arms = {.arms = posse_arm_count(a->posse), .dim = posse_dim(a->posse)};
    int place = -1;
    Py_ssize_t number;
    if (from->root == NULL) {
        refuse_definition(from);
        return -1;
    }
    if (!join_cast(a, from, &number)) return -1; /* first, because it registers the kind "python" */
    if (definition_read_learner(&d, from->root, from->memory, &from->found, &arms, prior_file_take)) {
        if (number >= 0) d.learners[0].options[0].number = (double)number;
        place = add_part(a, &d.learners[0], from->root);
    } else
        refuse_definition(from);
    if (place < 0 && number >= 0) cast_retire(a->cast, number);
    return place;
}

static PyObject *application_add_learner(PyObject *self, PyObject *learner) {
    application *a = (application *)self;
    description from;
    int place = -1;
    if (description_of_part(&from, learner) && application_enter(a)) {
        place = add_description(a, &from);
        application_leave(a);
    }
    description_close(&from);
    return place >= 0 ? PyLong_FromLong(place) : NULL;
}

static PyObject *application_retire_learner(PyObject *self, PyObject *learner) {
    application *a = (application *)self;
    if (!application_enter(a)) return NULL;
    int place = find_place(a, learner);
    if (place < 0) {
        application_leave(a);
        return NULL;
    }
    posse_error error = posse_learner_retire(a->posse, place);
    Py_ssize_t number = number_at(a, place);
    if (error == POSSE_OK && number >= 0) cast_retire(a->cast, number);
    return application_settle(a, error);
}

/* Takes the coordinates of an arm, `dim` numbers. */
static bool application_take_point(PyObject *point, int dim, Py_buffer *buffer) {
    if (!array_take_reals(point, "point", buffer)) return false;
    if (dim == 0 || (buffer->ndim <= 1 && buffer->len == dim * (Py_ssize_t)sizeof(double))) return true;
    errors_raise_argument("point", "must be %d numbers", dim);
    PyBuffer_Release(buffer);
    return false;
}

/* Adds or retires an arm. Messages of the posse's parts become problems. */
static bool change_arms(application *a, const char *name, const double *point, int *arm) {
    message_log log = {0};
    problems_open(&log.found, NULL);
    a->log = &log;
    posse_error error = *arm >= 0      ? posse_arm_retire(a->posse, *arm)
                        : name != NULL ? posse_arm_add_named(a->posse, name, point, arm)
                                       : posse_arm_add(a->posse, point, arm);
    a->log = NULL;
    bool ok = application_made_well(a, error, &log);
    problems_close(&log.found);
    return ok;
}

static PyObject *application_add_arm(PyObject *self, PyObject *given, PyObject *keywords) {
    static char *names[] = {"point", "name", NULL};
    application *a = (application *)self;
    PyObject *point = Py_None;
    const char *name = NULL;
    Py_buffer buffer = {0};
    int arm = -1;
    if (!PyArg_ParseTupleAndKeywords(given, keywords, "|O$z:add_arm", names, &point, &name)) return NULL;
    if (PyUnicode_Check(point)) {
        PyErr_Format(PyExc_ValueError, "a point is a list of numbers; a name is given by add_arm(name=%R)", point);
        return NULL;
    }
    if (point != Py_None && !application_take_point(point, posse_dim(a->posse), &buffer)) return NULL;
    bool ok = application_enter(a);
    if (ok) {
        ok = change_arms(a, name, buffer.buf, &arm);
        application_leave(a);
    }
    if (point != Py_None) PyBuffer_Release(&buffer);
    return ok ? PyLong_FromLong(arm) : NULL;
}

/* The index of an arm, active or retired, by its name or its number. -1 with an exception set: there is none. */
static int find_arm(const application *a, PyObject *arm) {
    Py_ssize_t index = PyUnicode_Check(arm) ? argument_find_arm(a, arm) : PyNumber_AsSsize_t(arm, NULL);
    if (index >= 0 && index < posse_arm_count(a->posse)) return (int)index;
    if (!PyErr_Occurred()) errors_raise_absent(POSSE_ERROR_ARM, "there is no arm", arm);
    return -1;
}

static PyObject *application_retire_arm(PyObject *self, PyObject *arm) {
    application *a = (application *)self;
    if (!application_enter(a)) return NULL;
    int index = find_arm(a, arm);
    bool ok = index >= 0 && change_arms(a, NULL, NULL, &index);
    application_leave(a);
    return ok ? Py_NewRef(Py_None) : NULL;
}

static PyObject *arm_active(PyObject *self, PyObject *arm) {
    application *a = (application *)self;
    int index = find_arm(a, arm);
    return index >= 0 ? PyBool_FromLong(posse_arm_active(a->posse, index)) : NULL;
}

static PyObject *get_learner(PyObject *self, PyObject *learner) {
    application *a = (application *)self;
    int place = find_place(a, learner);
    if (place < 0) return NULL;
    Py_ssize_t number = number_at(a, place);
    PyObject *found = number >= 0 ? cast_learner(a->cast, number) : NULL;
    return Py_NewRef(found != NULL ? found : Py_None);
}

/* --------------------------------------------------- the type ---------------------------------------------------- */

static PyObject *application_repr(PyObject *self) {
    const posse *p = ((application *)self)->posse;
    int arms = posse_arm_count(p), learners = posse_learner_count(p);
    bool entered = application_enter_to_read((application *)self);
    size_t pending = posse_pending_count(p);
    if (entered) application_leave((application *)self);
    const char *selector = posse_selector(p);
    char among[40] = "";
    if (arms > 0) snprintf(among, sizeof among, "%d arm%s, ", arms, arms == 1 ? "" : "s");
    return PyUnicode_FromFormat("<posse.Posse: %s%s%s%d learner%s, %zu decision%s pending>", among,
                                selector != NULL ? selector : "", selector != NULL ? " of " : "", learners,
                                learners == 1 ? "" : "s", pending, pending == 1 ? "" : "s");
}

static PyObject *application_repr_html(PyObject *self, PyObject *unused) {
    (void)unused;
    PyObject *write = module_import("posse.notebook", "html_of");
    PyObject *text = write != NULL ? PyObject_CallFunctionObjArgs(write, self, NULL) : NULL;
    Py_XDECREF(write);
    return text;
}

#define DOC                                                                                                                                                      \
    "Posse(arms=0, selector='recommended', learners=None, *, dim=0, points=None, context=0, prior=None, "                                                        \
    "rewards=None, seed=1, run=0, rounds=0, expire_after=None, expire_reward=None, propensity_draws=0, joins=0, report=True, nonzeros=0, features=None)\n--\n\n" \
    "A selector with its learners: the object an application holds.\n\n"                                                                                         \
    "Arms are independent (arms), points in R^dim whose mean rewards are linear in them (points, an array arms x dim), "                                         \
    "or every point of the unit ball of R^dim (dim alone). Without any, there are only learners and their rewards: all "                                         \
    "learners are 'external' then, and the selector one that needs no belief. Parts are dicts as in experiment files, or "                                       \
    "a kind's name alone; a learner may also be a posse.Learner. prior: the belief that selector and learners start from "                                       \
    "unless they bring their own. Without learners, or with 'recommended' for them or for the prior, posse takes parts "                                         \
    "that suit `rewards`: 'clicks', 'counts' or 'numbers'. selector='recommended': 'bms-plus', or 'thompson' if nothing but rewards is known, "                  \
    "because all learners are 'external' and there is no prior; None: a learner alone. rounds: the horizon, for "                                                \
    "selectors that need one. "                                                                                                                                  \
    "Nothing is seeded from the clock.\n\n"                                                                                                                      \
    "Or every round has features (decide(context)): dim numbers for each arm (arms and dim, without points), context "                                           \
    "numbers that all arms share, or both. Then arms is the number of all arms; a round may have fewer. features: a "                                            \
    "feature map, which may be {}; then contexts are dicts of numbers, truth values, words and lists of words, which are "                                       \
    "hashed into these numbers, and the features of each arm are given with it, arms={'red': {'price': 3}}. Its keys: "                                          \
    "'names', 'interactions', 'scale', 'learn_scale' and 'constant'.\n\n"                                                                                        \
    "expire_after: after how many later decisions a decision without a reward expires; None: never. expire_reward: what "                                        \
    "it then learns; None: it is forgotten. nonzeros: if above 0, contexts are sparse, and an arm has at most this many "                                        \
    "features that are not 0; there may be 16777216 features then. propensity_draws: from how many draws Decision.propensity is estimated; 0: "                  \
    "not at all.\n\n"                                                                                                                                            \
    "arms may be a list of names. Names then stand for arms in decide, acted, teach, retire_arm and in Decision.name; "                                          \
    "numbers work as well. joins: an arm that is named for the first time joins, until this many are active. report: "                                           \
    "rewards are tallied for the intervals of report().\n\n"                                                                                                     \
    "Every method may be called from any thread; calls wait for each other. SpecificationError: the description is wrong."

PyTypeObject *application_type(void) {
    static PyMethodDef methods[] = {
        {"decide", (PyCFunction)(void (*)(void))round_decide, METH_FASTCALL | METH_KEYWORDS,
         "decide(context=None, *, points=None, shared=None, arms=None, unit=None, now=None, defer=False)\n--\n\nDecides the "
         "next round. The decision stays pending until learn or forget.\n\n"
         "If rounds have features, context is an array of them: the features of each arm, count x dim, or those that all arms "
         "share; a pair (points, shared) of both; or a posse.Context. By name: points, shared, and arms, the numbers of the "
         "available arms, in any order. ContextError: nothing was decided.\n\n"
         "unit: the visitor, as a text; a unit may keep its arm (set_modes). now: seconds of a clock of your own, if units keep their "
         "arms for some seconds. defer: a suggestion, to be activated."},
        {"peek", (PyCFunction)(void (*)(void))round_peek, METH_FASTCALL | METH_KEYWORDS,
         "peek(context=None, *, points=None, shared=None, arms=None, unit=None, now=None, defer=False)\n--\n\nThe decision "
         "that decide would make now. Its id is 0, or that of the unit's pending decision. Nothing changes."},
        {"activate", round_activate, METH_O,
         "activate(decision, /)\n--\n\nMakes a suggestion, of shadow mode or of decide(defer=True), a decision: its arm was "
         "played. DecisionError: it is one already, or is not pending."},
        {"set_modes", (PyCFunction)(void (*)(void))modes_set, METH_VARARGS | METH_KEYWORDS,
         "set_modes(**modes)\n--\n\nChanges the modes that are named, and leaves the others as they are: control (an arm, or "
         "None), holdback (a share), paused, shadow, units, sticky_rounds, sticky_seconds. SpecificationError: nothing was "
         "changed."},
        {"forget_unit", modes_forget_unit, METH_O,
         "forget_unit(unit, /)\n--\n\nForgets which arm a unit keeps, and returns whether it was remembered."},
        {"acted", (PyCFunction)(void (*)(void))round_acted, METH_VARARGS | METH_KEYWORDS,
         "acted(decision, arm, /, *, context=None)\n--\n\nReports what an external learner has played in a pending "
         "decision: an arm or, on the ball, a point. Call it once, before learn; the decision then has that arm. If rounds "
         "have features, context is that of the decision. DecisionError; LearnerError: there is no such arm; "
         "ContextError."},
        {"learn", (PyCFunction)(void (*)(void))round_learn, METH_FASTCALL | METH_KEYWORDS,
         "learn(decision, /, reward)\n--\n\nGives a pending decision its reward, once. Rewards may be late, and in any "
         "order. DecisionError, RewardError: nothing was learned. An exception of a learner in Python: all others have "
         "learned, and the decision is settled."},
        {"forget", round_forget, METH_O,
         "forget(decision, /)\n--\n\nEnds a pending decision whose reward will never come. The play itself still "
         "counts. DecisionError."},
        {"teach", (PyCFunction)(void (*)(void))round_teach, METH_VARARGS | METH_KEYWORDS,
         "teach(arm, /, reward, *, context=None)\n--\n\nTeaches a reward that no decision of this posse made: history, or "
         "another system's. All learners and the selector's belief learn it; no learner is charged for the play. On the "
         "ball, a point in place of the arm. If rounds have features, context has those of the arm. RewardError; "
         "LearnerError: there is no such arm; ContextError."},
        {"decide_many", (PyCFunction)(void (*)(void))batch_decide, METH_VARARGS | METH_KEYWORDS,
         "decide_many(n, context=None, *, points=None, shared=None, arms=None)\n--\n\nMakes many decisions, the same ones as "
         "as many calls of decide, and returns a posse.Decisions.\n\n"
         "n is their number, with one context for all of them, given as in decide. Or n is the contexts, one for each "
         "decision: an array, rounds x shared features, or rounds x arms x dim; a pair of both; a posse.Context of these; "
         "or a data frame, a list of dicts, or a sparse array of SciPy, with a row for each round. With features by name: a "
         "data frame, or a list of dicts or of posse.Context. arms: the available arms, in all rounds the same, with their "
         "features if they have names. ContextError: nothing was decided. If a learner in Python fails, a note of its "
         "exception has the number of decisions that were made, which are pending."},
        {"learn_many", (PyCFunction)(void (*)(void))batch_learn, METH_VARARGS | METH_KEYWORDS,
         "learn_many(decisions, /, rewards=None)\n--\n\nGives pending decisions their rewards, in this order, as learn "
         "does. decisions: a posse.Decisions, an array of ids, or a list of decisions or ids; or, without rewards, pairs of "
         "a decision and its reward. DecisionError, RewardError: nothing was learned. If a learner in Python fails, a note "
         "of its exception has the number of rewards that were learned before."},
        {"teach_many", (PyCFunction)(void (*)(void))batch_teach, METH_VARARGS | METH_KEYWORDS,
         "teach_many(arms, /, rewards, contexts=None)\n--\n\nTeaches many rewards that no decision of this posse made, in "
         "this order, as teach does. contexts: as in decide_many; features of each arm may also be those of the arm that "
         "was played alone, plays x dim. RewardError, LearnerError, ContextError: nothing was taught."},
        {"pending_decisions", round_pending, METH_NOARGS,
         "pending_decisions()\n--\n\nThe decisions without a reward so far, the oldest first, each with its `age`."},
        {"expire", (PyCFunction)(void (*)(void))round_expire, METH_VARARGS | METH_KEYWORDS,
         "expire(age, /, *, deferred=False)\n--\n\nExpires the decisions that at least `age` later ones have followed, 0 all "
         "of them, the oldest first, and returns their number. They are forgotten, or learn `expire_reward`. With "
         "`deferred`, these are the deferred ones that were not activated, which nothing else expires. They are forgotten."},
        {"next_task", round_next_task, METH_NOARGS,
         "next_task()\n--\n\nBegins the next task: another instance, which is like those before. Beliefs that learn across "
         "tasks ('hierarchical') keep what they have learned of all of them; everything else begins as if new. Decisions "
         "without a reward are forgotten."},
        {"propensities", (PyCFunction)(void (*)(void))inside_propensities, METH_VARARGS | METH_KEYWORDS,
         "propensities(draws=1000, *, context=None)\n--\n\nThe probability with which each learner, and each arm, would be "
         "chosen next, as a posse.Propensities. If rounds have features, context is needed. It is estimated by playing the "
         "next choice `draws` times from a stream of its own: decisions stay the same. A learner in Python "
         "is copied for each draw. The arms of external learners are not known, and not counted."},
        {"best_probabilities", (PyCFunction)(void (*)(void))inside_best_probabilities, METH_VARARGS | METH_KEYWORDS,
         "best_probabilities(draws=1000)\n--\n\nThe probability that an arm is best, as a share of `draws` worlds from "
         "the selector's belief. Decisions stay the same. AbsentError: it has no belief, or is on the ball."},
        {"report", (PyCFunction)(void (*)(void))inside_report, METH_VARARGS | METH_KEYWORDS,
         "report(control=None)\n--\n\nBy when will I know? A posse.Report: whether it is decided which arm is best (or "
         "which learner, if there are no arms), the mean of each arm and each learner with an interval that holds at every "
         "time one looks, the belief's interval and the probability of being best, and the lift over a control, by name "
         "or number. Decisions stay the same."},
        {"acceptance", (PyCFunction)(void (*)(void))inside_acceptance, METH_VARARGS | METH_KEYWORDS,
         "acceptance(draws=1000)\n--\n\nOf a logistic belief with inference `langevin`: the share of the steps of its "
         "chains that were accepted, over this number of draws. AbsentError: the selector's belief has no chains."},
        {"means_in", inside_means_in, METH_O,
         "means_in(context, /)\n--\n\nWhat the selector's belief expects of each arm of a context, in the order in which "
         "its arms were given. AbsentError: it has no belief; ContextError."},
        {"deviations_in", inside_deviations_in, METH_O,
         "deviations_in(context, /)\n--\n\nThe standard deviation of the mean reward of each arm of a context in the "
         "selector's belief, in the same order. AbsentError: it has no belief, or one without deviations; ContextError."},
        {"add_learner", application_add_learner, METH_O,
         "add_learner(learner, /)\n--\n\nAdds a learner while the posse lives and returns its place. "
         "SpecificationError."},
        {"retire_learner", application_retire_learner, METH_O,
         "retire_learner(learner, /)\n--\n\nRetires a learner, by place or name: it is never chosen again. Its place and "
         "its name stay taken. LearnerError: it does not exist, is retired, or is the last one."},
        {"add_arm", (PyCFunction)(void (*)(void))application_add_arm, METH_VARARGS | METH_KEYWORDS,
         "add_arm(point=None, *, name=None)\n--\n\nAdds an arm while the posse lives and returns its index. point: its "
         "coordinates; none for independent arms. SpecificationError: a part does not support another arm, or the name is "
         "taken."},
        {"retire_arm", application_retire_arm, METH_O,
         "retire_arm(arm, /)\n--\n\nRetires an arm, by name or index: it is never picked again. Both stay taken. "
         "LearnerError: it does not exist, is retired, or is the last one. SpecificationError: a part needs it."},
        {"arm_active", arm_active, METH_O,
         "arm_active(arm, /)\n--\n\nFalse for an arm that has been retired. LearnerError: it does not exist."},
        {"learner", get_learner, METH_O,
         "learner(learner, /)\n--\n\nThe learner in Python that plays at a place, or by a name; None: it is one of the "
         "library's, or retired. LearnerError: it does not exist."},
        {"save", snapshot_save, METH_NOARGS,
         "save()\n--\n\nAll of it as bytes, pending decisions included: posse.load makes a posse that makes the "
         "decisions this one would have made. The bytes are the C library's own, the same on every machine, followed by "
         "a pickle where there are learners in Python."},
        {"__copy__", snapshot_copy, METH_NOARGS, "An independent copy."},
        {"__deepcopy__", snapshot_deep_copy, METH_O, "An independent copy."},
        {"__reduce__", snapshot_reduce, METH_NOARGS, "For pickle."},
        {"_repr_html_", application_repr_html, METH_NOARGS, "For notebooks."},
        {NULL, NULL, 0, NULL}};
    static PyType_Slot slots[] = {{Py_tp_new, new_application},
                                  {Py_tp_dealloc, application_dealloc},
                                  {Py_tp_traverse, application_traverse},
                                  {Py_tp_clear, application_clear},
                                  {Py_tp_repr, application_repr},
                                  {Py_tp_methods, methods},
                                  {Py_tp_getset, inside_properties},
                                  {Py_tp_doc, DOC},
                                  {0, NULL}};
    static PyType_Spec spec = {"posse.Posse", sizeof(application), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC, slots};
    return (PyTypeObject *)PyType_FromSpec(&spec);
}
