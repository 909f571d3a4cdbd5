#include "application.h"

#include <pythread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "cast.h"
#include "decision.h"
#include "definition.h"
#include "errors.h"

typedef struct application {
    PyObject head;
    posse *posse;
    cast *cast;        /* NULL: no learner is in Python */
    PyObject *numbers; /* a list: of each place its number in the cast, or -1 */
    hearing *ear;      /* who hears what the library says; NULL: nobody */
    PyThread_type_lock lock;
    unsigned long holder; /* the thread that has it */
} application;

/* ------------------------------------------------ one at a time -------------------------------------------------- */

/* Python's lock is not enough: a learner in Python may let it go in the middle of a call. */
static bool enter(application *a) {
    unsigned long own = PyThread_get_thread_ident();
    if (!PyThread_acquire_lock(a->lock, NOWAIT_LOCK)) {
        if (a->holder == own) {
            PyErr_SetString(PyExc_RuntimeError, "a learner cannot call the posse that is calling it");
            return false;
        }
        PyThreadState *state = PyEval_SaveThread();
        PyThread_acquire_lock(a->lock, WAIT_LOCK);
        PyEval_RestoreThread(state);
    }
    a->holder = own;
    return true;
}

static void leave(application *a) {
    a->holder = 0;
    PyThread_release_lock(a->lock);
}

/* ------------------------------------------- making and freeing ------------------------------------------------- */

static void overhear(void *context, const char *message) {
    application *a = context;
    if (a->ear != NULL) hearing_take(a->ear, message);
}

static posse_host host_of(application *a) {
    return (posse_host){.log = {overhear, a}};
}

static application *allocate(void) {
    application *a = kit_allocate(the.application, 0);
    if (a == NULL) return NULL;
    a->lock = PyThread_allocate_lock();
    a->numbers = PyList_New(0);
    if (a->lock != NULL && a->numbers != NULL) return a;
    if (a->lock == NULL) PyErr_NoMemory();
    Py_DECREF(a);
    return NULL;
}

static int traverse(PyObject *self, visitproc visit, void *arg) {
    application *a = (application *)self;
    Py_VISIT(Py_TYPE(self));
    return a->cast != NULL ? cast_traverse(a->cast, visit, arg) : 0;
}

static int clear(PyObject *self) {
    application *a = (application *)self;
    if (a->cast != NULL) cast_clear(a->cast);
    return 0;
}

static void dealloc(PyObject *self) {
    application *a = (application *)self;
    PyObject_GC_UnTrack(self);
    posse_free(a->posse);
    cast_free(a->cast);
    Py_XDECREF(a->numbers);
    if (a->lock != NULL) PyThread_free_lock(a->lock);
    kit_free(self);
}

/* What the library made of it: nothing, if a learner in Python raised an exception meanwhile. */
static bool made_well(application *a, posse_error error, const hearing *h) {
    if (cast_raise(a->cast)) return false;
    if (error != POSSE_OK) errors_raise(error, h);
    return error == POSSE_OK;
}

/* Learners in Python have the kind "python" and their number as the one option. */
static bool note_number(application *a, const posse_part *learner) {
    bool python = strcmp(learner->kind, "python") == 0;
    PyObject *number = PyLong_FromLong(python ? (long)learner->options[0].number : -1);
    bool noted = number != NULL && PyList_Append(a->numbers, number) == 0;
    Py_XDECREF(number);
    return noted;
}

/* The text of a document, and, where it has learners in Python, the cast that it speaks of. */
static const char *text_of(PyObject *document, PyObject **keep, Py_ssize_t *length) {
    *keep = PyObject_GetAttrString(document, "text");
    return *keep != NULL ? PyUnicode_AsUTF8AndSize(*keep, length) : NULL;
}

/* Problems of a definition, at paths in what the user gave. */
static void *raise_problems(PyObject *document, const definition *d) {
    if (d->problems == NULL) return PyErr_NoMemory();
    PyObject *text = PyObject_CallMethod(document, "relocate", "s", d->problems);
    const char *words = text != NULL ? PyUnicode_AsUTF8AndSize(text, NULL) : NULL;
    if (words != NULL) errors_raise_named("SpecificationError", "", words);
    Py_XDECREF(text);
    return NULL;
}

static bool read_definition(PyObject *document, const posse_def *arms, definition *d) {
    PyObject *keep;
    Py_ssize_t length;
    const char *text = text_of(document, &keep, &length);
    *d = (definition){0};
    bool fine = text != NULL && definition_read(d, text, (size_t)length, arms);
    if (text != NULL && !fine) raise_problems(document, d);
    Py_XDECREF(keep);
    return fine;
}

static bool make_posse(application *a, posse_def *def, PyObject *document) {
    definition d;
    if (!read_definition(document, def, &d)) {
        definition_close(&d);
        return false;
    }
    hearing h = {.length = 0};
    def->prior = d.prior;
    def->selector = d.selector;
    def->learners = d.learners;
    def->learner_count = d.learner_count;
    def->host = host_of(a);
    a->ear = &h;
    cast_enter(a->cast);
    posse_error error = posse_create(def, &a->posse);
    cast_enter(NULL);
    a->ear = NULL;
    bool fine = made_well(a, error, &h);
    for (int i = 0; fine && i < d.learner_count; i++) fine = note_number(a, &d.learners[i]);
    definition_close(&d);
    return fine;
}

static bool hire(application *a, PyObject *document) {
    PyObject *learners = PyObject_GetAttrString(document, "learners");
    Py_ssize_t count = learners != NULL ? PySequence_Size(learners) : -1;
    if (count > 0) a->cast = cast_make(learners);
    Py_XDECREF(learners);
    return count == 0 || (count > 0 && a->cast != NULL);
}

/* An array arms x dim, whose sizes then are those of def. */
static bool take_points(PyObject *points, Py_buffer *buffer, posse_def *def) {
    PyObject *array = PyObject_CallFunction(the.contiguous, "Os", points, "d");
    bool taken = array != NULL && PyObject_GetBuffer(array, buffer, PyBUF_C_CONTIGUOUS) == 0;
    Py_XDECREF(array);
    if (!taken) return false;
    bool flat = buffer->ndim == 2 && buffer->shape[0] <= INT32_MAX && buffer->shape[1] <= INT32_MAX;
    bool agrees =
        flat && (def->arms == 0 || def->arms == buffer->shape[0]) && (def->dim == 0 || def->dim == buffer->shape[1]);
    if (!agrees) {
        PyBuffer_Release(buffer);
        errors_raise_named("SpecificationError", "", "points: must be an array, arms x dim");
        return false;
    }
    def->arms = (int)buffer->shape[0];
    def->dim = (int)buffer->shape[1];
    def->points = buffer->buf;
    return true;
}

static PyObject *describe(PyObject *selector, PyObject *learners, PyObject *prior) {
    PyObject *function = kit_import("posse.document", "describe");
    PyObject *document =
        function != NULL ? PyObject_CallFunctionObjArgs(function, selector, learners, prior, NULL) : NULL;
    Py_XDECREF(function);
    return document;
}

static PyObject *make(posse_def *def, PyObject *document) {
    application *a = document != NULL ? allocate() : NULL;
    if (a == NULL) return NULL;
    if (hire(a, document) && make_posse(a, def, document)) return (PyObject *)a;
    Py_DECREF(a);
    return NULL;
}

/* Whole numbers are taken by hand: PyArg's own would cut or wrap what is too large. */
static bool take_whole(const char *name, PyObject *value, uint64_t most, uint64_t *out) {
    if (value == NULL) return true;
    PyObject *whole = PyNumber_Index(value);
    if (whole == NULL) return false;
    *out = PyLong_AsUnsignedLongLong(whole);
    Py_DECREF(whole);
    if (!PyErr_Occurred() && *out <= most) return true;
    PyErr_Clear();
    char message[120];
    snprintf(message, sizeof message, "%s: must be a whole number from 0 to %llu", name, (unsigned long long)most);
    errors_raise_named("SpecificationError", "", message);
    return false;
}

static PyObject *new_application(PyTypeObject *type, PyObject *arguments, PyObject *keywords) {
    (void)type;
    static char *names[] = {"arms", "selector", "learners", "dim", "points", "prior", "seed", "run", "rounds", NULL};
    PyObject *arms_ = NULL, *selector = NULL, *learners = NULL, *dim_ = NULL, *points = Py_None, *prior = Py_None,
             *seed = NULL, *run_ = NULL, *rounds = NULL;
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "|OOO$OOOOOO:Posse", names, &arms_, &selector, &learners,
                                     &dim_, &points, &prior, &seed, &run_, &rounds))
        return NULL;
    posse_def def = posse_default_def();
    uint64_t arms = 0, dim = 0, run = def.run;
    if (!take_whole("arms", arms_, INT32_MAX, &arms) || !take_whole("dim", dim_, INT32_MAX, &dim) ||
        !take_whole("seed", seed, UINT64_MAX, &def.seed) || !take_whole("run", run_, UINT32_MAX, &run) ||
        !take_whole("rounds", rounds, UINT64_MAX, &def.rounds))
        return NULL;
    def.arms = (int)arms;
    def.dim = (int)dim;
    def.run = (uint32_t)run;
    Py_buffer buffer = {0};
    if (points != Py_None && !take_points(points, &buffer, &def)) return NULL;
    PyObject *chosen = selector != NULL ? Py_NewRef(selector) : PyUnicode_FromString(def.selector.kind);
    PyObject *document = chosen != NULL ? describe(chosen, learners != NULL ? learners : Py_None, prior) : NULL;
    PyObject *self = make(&def, document);
    Py_XDECREF(document);
    Py_XDECREF(chosen);
    if (points != Py_None) PyBuffer_Release(&buffer);
    return self;
}

/* ----------------------------------------------------- a round --------------------------------------------------- */

static PyObject *decide(PyObject *self, PyObject *unused) {
    (void)unused;
    application *a = (application *)self;
    posse_decision d;
    PyObject *decision = NULL;
    if (!enter(a)) return NULL;
    posse_error error = posse_decide(a->posse, &d);
    if (made_well(a, error, NULL)) decision = decision_new(&d, d.point != NULL ? posse_dim(a->posse) : 0);
    leave(a);
    return decision;
}

static PyObject *settle(application *a, posse_error error) {
    bool fine = made_well(a, error, NULL);
    leave(a);
    return fine ? Py_NewRef(Py_None) : NULL;
}

/* learn(decision, reward), where the reward may come by name. */
static PyObject *learn(PyObject *self, PyObject *const *arguments, Py_ssize_t count, PyObject *keywords) {
    application *a = (application *)self;
    Py_ssize_t named = keywords != NULL ? PyTuple_Size(keywords) : 0;
    bool right = count + named == 2 && count >= 1;
    if (right && named == 1) right = PyUnicode_CompareWithASCIIString(PyTuple_GetItem(keywords, 0), "reward") == 0;
    if (!right) {
        PyErr_SetString(PyExc_TypeError, "learn() takes a decision and a reward");
        return NULL;
    }
    uint64_t id;
    if (!decision_id(arguments[0], &id)) return NULL;
    double reward = PyFloat_AsDouble(arguments[1]);
    if ((reward == -1.0 && PyErr_Occurred()) || !enter(a)) return NULL;
    return settle(a, posse_learn(a->posse, id, reward));
}

static PyObject *forget(PyObject *self, PyObject *decision) {
    application *a = (application *)self;
    uint64_t id;
    if (!decision_id(decision, &id) || !enter(a)) return NULL;
    return settle(a, posse_forget(a->posse, id));
}

/* -------------------------------------------- learners come and go ----------------------------------------------- */

/* The place of the name, or -1. */
static int place_of_name(const application *a, PyObject *name) {
    const char *wanted = PyUnicode_AsUTF8AndSize(name, NULL);
    for (int i = 0; wanted != NULL && i < posse_learner_count(a->posse); i++)
        if (strcmp(posse_learner_name(a->posse, i), wanted) == 0) return i;
    return -1;
}

/* A learner's place, from its place or name. -1 with an exception set. */
static int find_place(const application *a, PyObject *learner) {
    Py_ssize_t place = PyUnicode_Check(learner) ? place_of_name(a, learner) : PyNumber_AsSsize_t(learner, NULL);
    if (place >= 0 && place < posse_learner_count(a->posse)) return (int)place;
    if (!PyErr_Occurred()) errors_raise(POSSE_ERROR_LEARNER, NULL);
    return -1;
}

/* The number of a place in the cast, or -1. */
static Py_ssize_t number_at(application *a, int place) {
    return PyLong_AsSsize_t(PyList_GetItem(a->numbers, place));
}

static int add_part(application *a, const posse_part *learner) {
    hearing h = {.length = 0};
    int place = -1;
    a->ear = &h;
    cast_enter(a->cast);
    posse_error error = posse_learner_add(a->posse, learner, &place);
    cast_enter(NULL);
    a->ear = NULL;
    return made_well(a, error, &h) && note_number(a, learner) ? place : -1;
}

/* A learner in Python is number 0 of its document; here it gets the next number of the cast. */
static bool join_cast(application *a, PyObject *document, posse_part *learner, Py_ssize_t *number) {
    PyObject *learners = PyObject_GetAttrString(document, "learners");
    bool python = learners != NULL && PySequence_Size(learners) == 1;
    if (python && a->cast == NULL)
        a->cast = cast_make(learners);
    else if (python) {
        PyObject *instance = PySequence_GetItem(learners, 0);
        *number = instance != NULL ? cast_add(a->cast, instance) : -1;
        learner->options[0].number = (double)*number;
        Py_XDECREF(instance);
    }
    Py_XDECREF(learners);
    return !PyErr_Occurred();
}

static int add_document(application *a, PyObject *document) {
    definition d;
    posse_def arms = {.arms = posse_arms(a->posse), .dim = posse_dim(a->posse)};
    int place = -1;
    Py_ssize_t number = -1;
    if (read_definition(document, &arms, &d) && join_cast(a, document, &d.learners[0], &number))
        place = add_part(a, &d.learners[0]);
    if (place < 0 && number >= 0) cast_retire(a->cast, number);
    definition_close(&d);
    return place;
}

static PyObject *add_learner(PyObject *self, PyObject *learner) {
    application *a = (application *)self;
    PyObject *list = PyList_New(0);
    PyObject *document = list != NULL && PyList_Append(list, learner) == 0 ? describe(Py_None, list, Py_None) : NULL;
    Py_XDECREF(list);
    int place = -1;
    if (document != NULL && enter(a)) {
        place = add_document(a, document);
        leave(a);
    }
    Py_XDECREF(document);
    return place >= 0 ? PyLong_FromLong(place) : NULL;
}

static PyObject *retire_learner(PyObject *self, PyObject *learner) {
    application *a = (application *)self;
    if (!enter(a)) return NULL;
    int place = find_place(a, learner);
    if (place < 0) {
        leave(a);
        return NULL;
    }
    posse_error error = posse_learner_retire(a->posse, place);
    Py_ssize_t number = number_at(a, place);
    if (error == POSSE_OK && number >= 0) cast_retire(a->cast, number);
    return settle(a, error);
}

static PyObject *get_learner(PyObject *self, PyObject *learner) {
    application *a = (application *)self;
    int place = find_place(a, learner);
    if (place < 0) return NULL;
    Py_ssize_t number = number_at(a, place);
    PyObject *found = number >= 0 ? cast_learner(a->cast, number) : NULL;
    return Py_NewRef(found != NULL ? found : Py_None);
}

/* ------------------------------------------- saving, loading, copying -------------------------------------------- */

/* The library's bytes. */
static PyObject *save_posse(application *a) {
    size_t length = 0;
    posse_save(a->posse, NULL, &length);
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)length);
    if (bytes == NULL) return NULL;
    posse_error error = posse_save(a->posse, PyBytes_AsString(bytes), &length);
    if (error == POSSE_OK) return bytes;
    Py_DECREF(bytes);
    return errors_raise(error, NULL);
}

/* The learners in Python by number: those that play, None for who has been retired. */
static PyObject *playing(application *a) {
    PyObject *list = PyList_New(0);
    for (Py_ssize_t i = 0; list != NULL && a->cast != NULL && i < cast_count(a->cast); i++) {
        PyObject *learner = cast_learner(a->cast, i);
        if (PyList_Append(list, learner != NULL ? learner : Py_None) != 0) Py_CLEAR(list);
    }
    return list;
}

/* bytes, numbers of the places, learners in Python. */
static PyObject *snapshot(application *a) {
    PyObject *bytes = save_posse(a), *learners = bytes != NULL ? playing(a) : NULL;
    PyObject *numbers = learners != NULL ? PySequence_List(a->numbers) : NULL;
    PyObject *all = numbers != NULL ? PyTuple_Pack(3, bytes, numbers, learners) : NULL;
    Py_XDECREF(numbers);
    Py_XDECREF(learners);
    Py_XDECREF(bytes);
    return all;
}

/* What a function of posse.saving makes of the snapshot. The lock stays: nobody may play while learners are pickled. */
static PyObject *with_snapshot(PyObject *self, const char *function, PyObject *argument) {
    application *a = (application *)self;
    PyObject *act = kit_import("posse.saving", function);
    if (act == NULL || !enter(a)) {
        Py_XDECREF(act);
        return NULL;
    }
    PyObject *all = snapshot(a);
    PyObject *answer = all != NULL ? PyObject_CallFunctionObjArgs(act, all, argument, NULL) : NULL;
    leave(a);
    Py_XDECREF(all);
    Py_DECREF(act);
    return answer;
}

static PyObject *save(PyObject *self, PyObject *unused) {
    (void)unused;
    return with_snapshot(self, "pack", NULL);
}

static PyObject *reduce(PyObject *self, PyObject *unused) {
    (void)unused;
    PyObject *bytes = with_snapshot(self, "pack", NULL), *load = bytes != NULL ? kit_import("posse", "load") : NULL;
    PyObject *recipe = load != NULL ? Py_BuildValue("O(O)", load, bytes) : NULL;
    Py_XDECREF(load);
    Py_XDECREF(bytes);
    return recipe;
}

/* The numbers of the places as they were saved; where there is no learner in Python, -1 each. */
static bool take_numbers(application *a, PyObject *numbers) {
    Py_ssize_t places = posse_learner_count(a->posse), known = numbers != Py_None ? PySequence_Size(numbers) : places;
    PyObject *none = PyLong_FromLong(-1);
    for (Py_ssize_t i = 0; i < places && none != NULL && !PyErr_Occurred(); i++) {
        PyObject *number = numbers != Py_None ? PySequence_GetItem(numbers, i) : Py_NewRef(none);
        if (number != NULL) PyList_Append(a->numbers, number);
        Py_XDECREF(number);
    }
    Py_XDECREF(none);
    if (!PyErr_Occurred() && known != places) errors_raise(POSSE_ERROR_DAMAGED, NULL);
    return !PyErr_Occurred();
}

static bool revive(application *a, PyObject *bytes, PyObject *numbers, PyObject *learners) {
    char *data;
    Py_ssize_t length;
    if (PyBytes_AsStringAndSize(bytes, &data, &length) != 0) return false;
    if (PySequence_Size(learners) > 0 && (a->cast = cast_make(learners)) == NULL) return false;
    if (a->cast != NULL) cast_set_loading(a->cast, true);
    hearing h = {.length = 0};
    posse_host host = host_of(a);
    a->ear = &h;
    cast_enter(a->cast);
    posse_error error = posse_load(data, (size_t)length, &host, &a->posse);
    cast_enter(NULL);
    a->ear = NULL;
    if (a->cast != NULL) cast_set_loading(a->cast, false);
    return made_well(a, error, &h) && take_numbers(a, numbers);
}

/* A posse from a snapshot. */
static PyObject *application_revive(PyObject *all) {
    PyObject *bytes, *numbers, *learners;
    if (!PyArg_ParseTuple(all, "SOO", &bytes, &numbers, &learners)) return NULL;
    application *a = allocate();
    if (a == NULL) return NULL;
    if (!revive(a, bytes, numbers, learners)) {
        Py_DECREF(a);
        return NULL;
    }
    return (PyObject *)a;
}

static PyObject *copy_with(PyObject *self, PyObject *memo) {
    PyObject *all = with_snapshot(self, "twin", memo);
    PyObject *twin = all != NULL ? application_revive(all) : NULL;
    Py_XDECREF(all);
    return twin;
}

static PyObject *copy(PyObject *self, PyObject *unused) {
    (void)unused;
    return copy_with(self, NULL);
}

PyObject *application_load(PyObject *module, PyObject *data) {
    (void)module;
    PyObject *unpack = kit_import("posse.saving", "unpack");
    PyObject *all = unpack != NULL ? PyObject_CallFunctionObjArgs(unpack, data, NULL) : NULL;
    PyObject *self = all != NULL ? application_revive(all) : NULL;
    Py_XDECREF(all);
    Py_XDECREF(unpack);
    return self;
}

/* ------------------------------------------------- looking inside ------------------------------------------------ */

typedef posse_error (*ask_reals)(const posse *p, double *out);

/* Numbers that the library has, a number for each learner or for each arm. */
static PyObject *reals(PyObject *self, ask_reals ask, int count) {
    application *a = (application *)self;
    void *numbers;
    PyObject *array = array_new((size_t)count, 'd', &numbers);
    if (array == NULL) return NULL;
    posse_error error = ask(a->posse, numbers);
    if (error == POSSE_OK) return array;
    Py_DECREF(array);
    return errors_raise(error, NULL);
}

static const posse *posse_of(PyObject *self) {
    return ((application *)self)->posse;
}

static PyObject *get_potentials(PyObject *self, void *unused) {
    (void)unused;
    return reals(self, posse_potentials, posse_learner_count(posse_of(self)));
}

static PyObject *get_probabilities(PyObject *self, void *unused) {
    (void)unused;
    return reals(self, posse_probabilities, posse_learner_count(posse_of(self)));
}

static PyObject *get_means(PyObject *self, void *unused) {
    (void)unused;
    int arms = posse_arms(posse_of(self));
    return reals(self, posse_means, arms > 0 ? arms : posse_dim(posse_of(self)));
}

static PyObject *get_plays(PyObject *self, void *unused) {
    (void)unused;
    void *numbers;
    PyObject *array = array_new((size_t)posse_learner_count(posse_of(self)), 'Q', &numbers);
    if (array != NULL) posse_plays(posse_of(self), numbers);
    return array;
}

static PyObject *get_clipped(PyObject *self, void *unused) {
    (void)unused;
    uint64_t rewards;
    posse_error error = posse_clipped(posse_of(self), &rewards);
    return error == POSSE_OK ? PyLong_FromUnsignedLongLong(rewards) : errors_raise(error, NULL);
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
    for (int i = 0; all != NULL && i < posse_learner_count(p); i++) {
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

static PyObject *repr(PyObject *self) {
    const posse *p = posse_of(self);
    return PyUnicode_FromFormat("<posse.Posse: %d learners, %zu decisions pending>", posse_learner_count(p),
                                posse_pending_count(p));
}

/* --------------------------------------------------- the type ---------------------------------------------------- */

#define DOC                                                                                                              \
    "Posse(arms=0, selector='bms', learners=(), *, dim=0, points=None, prior=None, seed=1, run=0, rounds=0)\n--\n\n"     \
    "A selector with its learners: the object an application holds.\n\n"                                                 \
    "Arms are independent (arms), points in R^dim whose mean rewards are linear in them (points, an array arms x dim), " \
    "or every point of the unit ball of R^dim (dim alone). Parts are dicts as in experiment files, or a kind's name "    \
    "alone; a learner may also be a posse.Learner. prior: the belief that selector and learners start from unless "      \
    "they bring their own. selector=None: a learner alone. rounds: the horizon, for selectors that need one. Nothing "   \
    "is seeded from the clock.\n\n"                                                                                      \
    "Every method may be called from any thread: one call at a time gets in. SpecificationError: it cannot be as "       \
    "described."

PyTypeObject *application_type(void) {
    static PyMethodDef methods[] = {
        {"decide", decide, METH_NOARGS,
         "decide()\n--\n\nDecides the next round. The decision stays pending until learn or forget."},
        {"learn", (PyCFunction)(void (*)(void))learn, METH_FASTCALL | METH_KEYWORDS,
         "learn(decision, /, reward)\n--\n\nGives a pending decision its reward: late, and in any order, if need be, but "
         "once. DecisionError, RewardError: nothing was learned. An exception of a learner in Python: all others have "
         "learned, and the decision is settled."},
        {"forget", forget, METH_O,
         "forget(decision, /)\n--\n\nSays that a pending decision's reward will never come. The play itself stays on "
         "record. DecisionError."},
        {"add_learner", add_learner, METH_O,
         "add_learner(learner, /)\n--\n\nAdds a learner while the posse lives and returns its place. "
         "SpecificationError."},
        {"retire_learner", retire_learner, METH_O,
         "retire_learner(learner, /)\n--\n\nRetires a learner, by place or name: it is never chosen again. Its place and "
         "its name stay taken. LearnerError: there is none such, it is retired, or it is the last."},
        {"learner", get_learner, METH_O,
         "learner(learner, /)\n--\n\nThe learner in Python that plays at a place, or by a name; None: it is one of the "
         "library's, or retired. LearnerError: there is none such."},
        {"save", save, METH_NOARGS,
         "save()\n--\n\nAll of it as bytes, pending decisions included: posse.load makes a posse that makes the "
         "decisions this one would have made. The bytes are the C library's own, the same on every machine, followed by "
         "a pickle where there are learners in Python."},
        {"__copy__", copy, METH_NOARGS, "A posse that goes on by itself."},
        {"__deepcopy__", copy_with, METH_O, "A posse that goes on by itself."},
        {"__reduce__", reduce, METH_NOARGS, "For pickle."},
        {NULL, NULL, 0, NULL}};
    static PyGetSetDef properties[] = {
        {"learners", get_learners, NULL, "Names by place, retired ones included.", NULL},
        {"active", get_active, NULL, "By place: False for who has been retired.", NULL},
        {"pending", get_pending, NULL, "Decisions without a reward so far.", NULL},
        {"plays", get_plays, NULL, "How often each learner has been chosen.", NULL},
        {"potentials", get_potentials, NULL,
         "The selector's potential of each learner, of which it chooses the smallest. AbsentError.", NULL},
        {"probabilities", get_probabilities, NULL,
         "With which probability the latest choice took each of the learners. AbsentError: nobody was chosen yet.",
         NULL},
        {"means", get_means, NULL,
         "What the selector's belief expects of each arm or, on the ball, of theta. AbsentError: it has no belief.",
         NULL},
        {"clipped", get_clipped, NULL, "How many rewards lay outside the selector's `range`. AbsentError: it has none.",
         NULL},
        {"arms", get_arms, NULL, "How many; 0 on the continuous ball.", NULL},
        {"dim", get_dim, NULL, "Of the space the arms are in; 0: independent arms.", NULL},
        {NULL, NULL, NULL, NULL, NULL}};
    static PyType_Slot slots[] = {{Py_tp_new, new_application}, {Py_tp_dealloc, dealloc}, {Py_tp_traverse, traverse},
                                  {Py_tp_clear, clear},         {Py_tp_repr, repr},       {Py_tp_methods, methods},
                                  {Py_tp_getset, properties},   {Py_tp_doc, DOC},         {0, NULL}};
    static PyType_Spec spec = {"posse.Posse", sizeof(application), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC, slots};
    return (PyTypeObject *)PyType_FromSpec(&spec);
}
