/* SPDX-License-Identifier: MIT */
#include "python/src/inside.h"
#include "python/src/modes.h"

#include <stdlib.h>

#include "describe/definition_text.h"
#include "describe/report_text.h"
#include "python/src/argument.h"
#include "python/src/array.h"
#include "python/src/context.h"
#include "python/src/errors.h"

typedef posse_error (*ask_reals)(const posse *p, double *out);
typedef int (*count_numbers)(const posse *p);

/*
 * Decisions change what is read here, and batches make them without Python's lock, so reading waits for a batch. The
 * lock of the posse is not kept while objects of Python are made, because that may run code of the user.
 */
#define READ(self, result, call)                                                                                       \
    do {                                                                                                               \
        bool entered_ = application_enter_to_read((application *)(self));                                              \
        (result) = (call);                                                                                             \
        if (entered_) application_leave((application *)(self));                                                        \
    } while (0)

/*
 * `lack` is the message for a quantity that the selector does not have; the library has one sentence for all of them.
 */
static void *inside_refuse(posse_error error, const char *lack) {
    if (error != POSSE_ERROR_ABSENT) return errors_raise(error, NULL);
    return errors_raise_named("AbsentError", posse_error_name(error), lack);
}

/* Asks for a number of each learner or arm. They are counted inside, because others may join before. To be freed. */
static posse_error inside_ask(const posse *p, ask_reals ask, count_numbers size, double **numbers, size_t *count) {
    *count = (size_t)size(p);
    *numbers = PyMem_Malloc((*count + 1) * sizeof **numbers);
    return *numbers != NULL ? ask(p, *numbers) : POSSE_ERROR_MEMORY;
}

/*
 * An array of numbers that the library has for each learner or arm. They are copied before the array is made, because
 * making it may run code of the user, which may add learners.
 */
static PyObject *inside_reals(PyObject *self, ask_reals ask, count_numbers size, const char *lack) {
    double *numbers;
    size_t count;
    posse_error error;
    READ(self, error, inside_ask(((application *)self)->posse, ask, size, &numbers, &count));
    PyObject *array = error == POSSE_OK ? array_copy(numbers, count, 'd') : inside_refuse(error, lack);
    PyMem_Free(numbers);
    return array;
}

static const posse *posse_of(PyObject *self) {
    return ((application *)self)->posse;
}

static PyObject *get_potentials(PyObject *self, void *unused) {
    (void)unused;
    return inside_reals(self, posse_potentials, posse_learner_count, "potentials: this selector has none");
}

static PyObject *get_probabilities(PyObject *self, void *unused) {
    (void)unused;
    return inside_reals(self, posse_probabilities, posse_learner_count, "probabilities: no learner was chosen yet");
}

static posse_error means_without_context(const posse *p, double *means) {
    return posse_means(p, NULL, means);
}

static posse_error deviations_without_context(const posse *p, double *deviations) {
    return posse_deviations(p, NULL, deviations);
}

/* If rounds have features, raises AbsentError and returns true, because the quantity then depends on a context. */
static bool needs_context(PyObject *self, const char *lack) {
    if (posse_feature_count(posse_of(self)) == 0) return false;
    errors_raise_named("AbsentError", posse_error_name(POSSE_ERROR_CONTEXT), lack);
    return true;
}

static PyObject *inside_get_means(PyObject *self, void *unused) {
    (void)unused;
    if (needs_context(self, "means: rounds have features; use means_in(context)")) return NULL;
    return inside_reals(self, means_without_context, posse_arm_count(posse_of(self)) > 0 ? posse_arm_count : posse_dim,
                        "means: this selector has no belief");
}

static PyObject *get_deviations(PyObject *self, void *unused) {
    (void)unused;
    if (needs_context(self, "deviations: rounds have features; use deviations_in(context)")) return NULL;
    return inside_reals(self, deviations_without_context, posse_arm_count,
                        "deviations: this selector has no belief about arms, or one without deviations");
}

static PyObject *get_weights(PyObject *self, void *unused) {
    (void)unused;
    if (posse_component_count(posse_of(self)) == 0) return Py_NewRef(Py_None);
    return inside_reals(self, posse_weights, posse_component_count, "");
}

static PyObject *get_regrets(PyObject *self, void *unused) {
    (void)unused;
    return inside_reals(self, posse_regrets, posse_learner_count, "regrets: this selector keeps no plays");
}

static posse_error inside_ask_plays(const posse *p, uint64_t **plays, size_t *count) {
    *count = (size_t)posse_learner_count(p);
    *plays = PyMem_Malloc((*count + 1) * sizeof **plays);
    return *plays != NULL ? posse_plays(p, *plays) : POSSE_ERROR_MEMORY;
}

static PyObject *get_plays(PyObject *self, void *unused) {
    (void)unused;
    uint64_t *plays;
    size_t count;
    posse_error error;
    READ(self, error, inside_ask_plays(posse_of(self), &plays, &count));
    PyObject *array = error == POSSE_OK ? array_copy(plays, count, 'Q') : errors_raise(error, NULL);
    PyMem_Free(plays);
    return array;
}

static PyObject *get_clipped(PyObject *self, void *unused) {
    (void)unused;
    uint64_t rewards;
    posse_error error;
    READ(self, error, posse_clipped(posse_of(self), &rewards));
    return error == POSSE_OK ? PyLong_FromUnsignedLongLong(rewards)
                             : inside_refuse(error, "clipped: this selector has no range");
}

static PyObject *get_surprise(PyObject *self, void *unused) {
    (void)unused;
    double surprise;
    posse_error error;
    READ(self, error, posse_surprise(posse_of(self), &surprise));
    return error == POSSE_OK ? PyFloat_FromDouble(surprise)
                             : inside_refuse(error, "surprise: this selector does not watch its belief");
}

static PyObject *get_pending(PyObject *self, void *unused) {
    (void)unused;
    size_t count;
    READ(self, count, posse_pending_count(posse_of(self)));
    return PyLong_FromSize_t(count);
}

static PyObject *get_decisions(PyObject *self, void *unused) {
    (void)unused;
    uint64_t count;
    READ(self, count, posse_decision_count(posse_of(self)));
    return PyLong_FromUnsignedLongLong(count);
}

static PyObject *get_definition(PyObject *self, void *unused) {
    (void)unused;
    application *a = (application *)self;
    if (!application_enter(a)) return NULL;
    char *text = definition_text(a->posse, NULL);
    application_leave(a);
    if (text == NULL) return PyErr_NoMemory();
    PyObject *json = PyImport_ImportModule("json");
    PyObject *made = json != NULL ? PyObject_CallMethod(json, "loads", "s", text) : NULL;
    Py_XDECREF(json);
    free(text);
    return made;
}

static PyObject *get_names(PyObject *self, void *unused) {
    (void)unused;
    const posse *p = posse_of(self);
    int count = posse_arm_name(p, 0) != NULL ? posse_arm_count(p) : 0;
    PyObject *names = count > 0 ? PyTuple_New(count) : Py_NewRef(Py_None);
    for (int a = 0; names != NULL && a < count; a++) {
        PyObject *name = PyUnicode_FromString(posse_arm_name(p, a));
        if (name == NULL || PyTuple_SetItem(names, a, name) != 0) Py_CLEAR(names);
    }
    return names;
}

static PyObject *inside_feature_slots(PyObject *self, void *unused) {
    (void)unused;
    const posse *p = posse_of(self);
    PyObject *slots = PyDict_New();
    for (int i = 0; slots != NULL && i < posse_features_seen(p); i++) {
        posse_feature_seen seen;
        posse_feature_at(p, i, &seen);
        PyObject *slot = PyLong_FromLong(seen.slot);
        if (slot == NULL || PyDict_SetItemString(slots, seen.key, slot) != 0) Py_CLEAR(slots);
        Py_XDECREF(slot);
    }
    return slots;
}

/* The control of a report: an arm, or a learner if there are no arms. -1: none; -2 with an exception set. */
static int inside_control(const application *a, PyObject *control) {
    const posse *p = a->posse;
    bool arms = posse_arm_count(p) > 0;
    int count = arms ? posse_arm_count(p) : posse_learner_count(p);
    if (control == Py_None) return -1;
    Py_ssize_t place = -1;
    if (!PyUnicode_Check(control))
        place = PyNumber_AsSsize_t(control, NULL);
    else if (arms)
        place = argument_find_arm(a, control);
    else
        for (int i = 0; i < count; i++)
            if (PyUnicode_CompareWithASCIIString(control, posse_learner_name(p, i)) == 0) place = i;
    if (place >= 0 && place < count) return (int)place;
    if (PyErr_Occurred()) return -2;
    if (arms)
        errors_raise_absent(POSSE_ERROR_ARM, "control: there is no arm", control);
    else
        errors_raise_absent(POSSE_ERROR_LEARNER, "control: there is no learner", control);
    return -2;
}

PyObject *inside_report(PyObject *self, PyObject *arguments, PyObject *keywords) {
    static char *names[] = {"control", NULL};
    application *a = (application *)self;
    PyObject *control = Py_None;
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "|O:report", names, &control) || !application_enter(a))
        return NULL;
    int place = inside_control(a, control);
    char *text = place >= -1 ? report_text(a->posse, place, NULL) : NULL;
    application_leave(a);
    if (place >= -1 && text == NULL) PyErr_NoMemory();
    PyObject *read = text != NULL ? module_import("posse.reports", "read_report") : NULL;
    PyObject *made = read != NULL ? PyObject_CallFunction(read, "s", text) : NULL;
    Py_XDECREF(read);
    free(text);
    return made;
}

static PyObject *get_epoch(PyObject *self, void *unused) {
    (void)unused;
    return PyLong_FromUnsignedLong(posse_epoch(posse_of(self)));
}

static int set_epoch(PyObject *self, PyObject *value, void *unused) {
    (void)unused;
    application *a = (application *)self;
    uint64_t epoch;
    if (value == NULL) {
        PyErr_SetString(PyExc_AttributeError, "a posse has an epoch");
        return -1;
    }
    if (!argument_whole("epoch", value, 0, INT32_MAX, &epoch) || !application_enter(a)) return -1;
    posse_error error = posse_set_epoch(a->posse, (uint32_t)epoch);
    application_leave(a);
    if (error != POSSE_OK)
        errors_raise_argument("epoch", "must differ from the present one and from those of pending decisions");
    return error == POSSE_OK ? 0 : -1;
}

static PyObject *inside_get_selector(PyObject *self, void *unused) {
    (void)unused;
    const char *kind = posse_selector(posse_of(self));
    return kind != NULL ? PyUnicode_FromString(kind) : Py_NewRef(Py_None);
}

static PyObject *inside_get_arms(PyObject *self, void *unused) {
    (void)unused;
    return PyLong_FromLong(posse_arm_count(posse_of(self)));
}

static PyObject *inside_get_dim(PyObject *self, void *unused) {
    (void)unused;
    return PyLong_FromLong(posse_dim(posse_of(self)));
}

static PyObject *inside_get_features(PyObject *self, void *unused) {
    (void)unused;
    return PyLong_FromLong(posse_feature_count(posse_of(self)));
}

static PyObject *get_shared_features(PyObject *self, void *unused) {
    (void)unused;
    return PyLong_FromLong(posse_shared_feature_count(posse_of(self)));
}

/* A tuple with an entry for each learner. */
static PyObject *inside_by_place(PyObject *self, PyObject *(*entry)(const posse *p, int place)) {
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

static PyObject *inside_get_learners(PyObject *self, void *unused) {
    (void)unused;
    return inside_by_place(self, name_at);
}

static PyObject *get_active(PyObject *self, void *unused) {
    (void)unused;
    return inside_by_place(self, active_at);
}

/* -------------------------------------------------- in a context -------------------------------------------------- */

typedef posse_error (*ask_reals_in)(const posse *p, const posse_context *context, double *out);

/* The numbers in the order in which the arms were given; *count: how many. NULL with an exception set. */
static double *numbers_in(application *a, given_context *x, ask_reals_in ask, const char *lack, size_t *count) {
    double *out = PyMem_Malloc(2 * ((size_t)posse_arm_count(a->posse) + 1) * sizeof *out);
    if (out == NULL) return (double *)PyErr_NoMemory();
    double *found = x->order != NULL ? out + posse_arm_count(a->posse) : out;
    posse_error error = ask(a->posse, x->given ? &x->c : NULL, found);
    if (error == POSSE_ERROR_ABSENT)
        inside_refuse(error, lack);
    else if (context_made_well(x, a, error)) {
        *count = (size_t)context_count(x, a);
        if (x->order != NULL) context_put_back(x, found, out);
        return out;
    }
    PyMem_Free(out);
    return NULL;
}

static PyObject *reals_in(PyObject *self, PyObject *in, ask_reals_in ask, const char *lack) {
    application *a = (application *)self;
    given_context x;
    size_t count = 0;
    double *numbers = NULL;
    bool open = context_open(&x, a, &(context_parts){.context = in != Py_None ? in : NULL, .looks = true});
    if (open && context_enter(&x, a)) {
        numbers = numbers_in(a, &x, ask, lack, &count);
        application_leave(a);
    }
    context_close(&x);
    PyObject *array = numbers != NULL ? array_copy(numbers, count, 'd') : NULL;
    PyMem_Free(numbers);
    return array;
}

PyObject *inside_means_in(PyObject *self, PyObject *context) {
    return reals_in(self, context, posse_means, "means_in: this selector has no belief");
}

PyObject *inside_deviations_in(PyObject *self, PyObject *context) {
    return reals_in(self, context, posse_deviations,
                    "deviations_in: this selector has no belief, or one without deviations");
}

/* --------------------------------------------------- by draws ---------------------------------------------------- */

static bool take_draws(PyObject *value, uint64_t *draws) {
    *draws = 1000;
    return argument_whole("draws", value, 1, UINT32_MAX, draws);
}

PyObject *inside_best_probabilities(PyObject *self, PyObject *arguments, PyObject *keywords) {
    static char *names[] = {"draws", NULL};
    PyObject *value = NULL;
    uint64_t draws;
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "|O:best_probabilities", names, &value) ||
        !take_draws(value, &draws) || needs_context(self, "best_probabilities: rounds have features"))
        return NULL;
    bool entered = application_enter_to_read((application *)self);
    size_t arms = (size_t)posse_arm_count(posse_of(self));
    double *numbers = PyMem_Malloc((arms + 1) * sizeof *numbers);
    posse_error error = POSSE_ERROR_MEMORY;
    if (numbers != NULL) error = posse_best_probabilities(posse_of(self), (uint32_t)draws, numbers);
    if (entered) application_leave((application *)self);
    PyObject *array = error == POSSE_OK
                          ? array_copy(numbers, arms, 'd')
                          : inside_refuse(error, "best_probabilities: this selector has no belief about arms");
    PyMem_Free(numbers);
    return array;
}

PyObject *inside_acceptance(PyObject *self, PyObject *arguments, PyObject *keywords) {
    static char *names[] = {"draws", NULL};
    PyObject *value = NULL;
    uint64_t draws;
    double acceptance;
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "|O:acceptance", names, &value) || !take_draws(value, &draws))
        return NULL;
    posse_error error;
    READ(self, error, posse_acceptance(posse_of(self), (uint32_t)draws, &acceptance));
    return error == POSSE_OK ? PyFloat_FromDouble(acceptance)
                             : inside_refuse(error, "acceptance: this selector's belief draws by no chain");
}

/* A posse.Propensities. */
static PyObject *new_propensities(const posse_propensity *p, size_t learners, size_t arms) {
    PyObject *class = module_import("posse.propensities", "Propensities");
    const double *lists[] = {p->learners, p->learner_errors, p->arms, p->arm_errors};
    PyObject *all = class != NULL ? PyTuple_New(4) : NULL, *made = NULL;
    bool ok = all != NULL;
    for (int i = 0; ok && i < 4; i++) {
        PyObject *list = lists[i] == NULL ? Py_NewRef(Py_None) : array_copy(lists[i], i < 2 ? learners : arms, 'd');
        ok = list != NULL && PyTuple_SetItem(all, i, list) == 0;
    }
    if (ok) made = PyObject_CallObject(class, all);
    Py_XDECREF(all);
    Py_XDECREF(class);
    return made;
}

static posse_error inside_rehearse(application *a, const given_context *x, uint32_t draws,
                                   const posse_propensity *out) {
    if (a->cast != NULL) cast_set_rehearsing(a->cast, true);
    posse_error error = posse_propensities(a->posse, x->given ? &x->c : NULL, draws, out);
    if (a->cast != NULL) cast_set_rehearsing(a->cast, false);
    return error;
}

static PyObject *inside_make_propensities(application *a, const given_context *x, uint32_t draws) {
    size_t learners = (size_t)posse_learner_count(a->posse), arms = (size_t)posse_arm_count(a->posse);
    double *numbers = PyMem_Malloc(2 * (learners + arms) * sizeof *numbers);
    if (numbers == NULL) return PyErr_NoMemory();
    posse_propensity out = {.learners = numbers, .learner_errors = numbers + learners};
    if (arms > 0) {
        out.arms = numbers + 2 * learners;
        out.arm_errors = out.arms + arms;
    }
    bool ok = context_made_well(x, a, inside_rehearse(a, x, draws, &out));
    PyObject *made = ok ? new_propensities(&out, learners, arms) : NULL;
    PyMem_Free(numbers);
    return made;
}

PyObject *inside_propensities(PyObject *self, PyObject *arguments, PyObject *keywords) {
    static char *names[] = {"draws", "context", NULL};
    application *a = (application *)self;
    PyObject *value = NULL, *in = Py_None, *made = NULL;
    given_context x;
    uint64_t draws;
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "|O$O:propensities", names, &value, &in) ||
        !take_draws(value, &draws))
        return NULL;
    bool open = context_open(&x, a, &(context_parts){.context = in != Py_None ? in : NULL, .looks = true});
    if (open && context_enter(&x, a)) {
        made = inside_make_propensities(a, &x, (uint32_t)draws);
        application_leave(a);
    }
    context_close(&x);
    return made;
}

/* ------------------------------------------------- the properties ------------------------------------------------ */

PyGetSetDef inside_properties[] = {
    {"learners", inside_get_learners, NULL, "The names of the learners by place, with the retired ones.", NULL},
    {"active", get_active, NULL, "By place: False for a learner that was retired.", NULL},
    {"definition", get_definition, NULL,
     "The arguments that would create it again, with defaults filled in, added learners and arms included, and retired "
     "learners left out. `retired` lists retired arms.",
     NULL},
    {"modes", modes_get, NULL, "All modes, as set_modes takes them.", NULL},
    {"units", modes_get_units, NULL, "How many units are remembered.", NULL},
    {"feature_slots", inside_feature_slots, NULL,
     "The names of features that were seen, without products, each with its slot. Learners cannot distinguish names of "
     "one slot. Empty: there were no names.",
     NULL},
    {"names", get_names, NULL, "The names of the arms, with the retired ones. None: arms have no names.", NULL},
    {"decisions", get_decisions, NULL, "The number of all decisions so far.", NULL},
    {"epoch", get_epoch, set_epoch,
     "The upper half of the ids of new decisions: 0 for a new posse, a random number for a posse that was "
     "loaded. It may be set to a number below 2**31 that no pending decision has.",
     NULL},
    {"pending", get_pending, NULL, "The number of decisions without a reward so far.", NULL},
    {"plays", get_plays, NULL, "How often each learner has been chosen.", NULL},
    {"potentials", get_potentials, NULL,
     "The selector's potential of each learner. It chooses the learner with the smallest. AbsentError: it has none.",
     NULL},
    {"probabilities", get_probabilities, NULL,
     "The probability of each learner in the latest choice. AbsentError: no learner was chosen yet.", NULL},
    {"means", inside_get_means, NULL,
     "What the selector's belief expects of each arm or, on the ball, of theta. AbsentError: it has no belief.", NULL},
    {"deviations", get_deviations, NULL,
     "The standard deviation of each arm's mean reward in the selector's belief. AbsentError: it has none, or one "
     "without deviations.",
     NULL},
    {"weights", get_weights, NULL,
     "The posterior weights of a mixture, if that (or a robust belief, which is one) is the selector's belief; None: it is "
     "not.",
     NULL},
    {"regrets", get_regrets, NULL,
     "The regret that each learner's past plays would have if the selector's belief were right in its mean. AbsentError: "
     "it keeps no plays.",
     NULL},
    {"clipped", get_clipped, NULL, "How many rewards lay outside the selector's `range`. AbsentError: it has none.",
     NULL},
    {"surprise", get_surprise, NULL,
     "How far the rewards contradict the selector's belief: the log Bayes factor of its robust form. Above 3, which is log "
     "20, doubt the belief. AbsentError: the selector does not watch its belief, and that is not robust.",
     NULL},
    {"selector", inside_get_selector, NULL,
     "The kind of the selector, also where it was left to posse ('recommended'). None: a learner alone.", NULL},
    {"arms", inside_get_arms, NULL,
     "The number of arms, with the retired ones; 0 on the continuous ball, and if there are none.", NULL},
    {"dim", inside_get_dim, NULL, "The dimension of the arms; 0: independent arms, or none.", NULL},
    {"features", inside_get_features, NULL,
     "The number of features of an arm in a round, its own and the shared ones; 0: rounds have none.", NULL},
    {"shared_features", get_shared_features, NULL, "The number of features that all arms share.", NULL},
    {NULL, NULL, NULL, NULL, NULL}};
