/* SPDX-License-Identifier: MIT */
#include "python/src/cast.h"

#include <limits.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "python/src/array.h"
#include "python/src/context.h"
#include "python/src/draw.h"
#include "python/src/stage.h"

#define NO_ARM INT_MIN /* the library rejects this arm, and does not play the round */

typedef struct seat {
    cast *cast;
    Py_ssize_t number;
    PyObject *template; /* the instance that was given */
    PyObject *arms;
    PyObject *learner, *act,
        *learn;   /* the copy that plays, and its methods: act and learn, or act_in and learn_in; NULL: none */
    int count;    /* of arms; 0 on the ball */
    int dim;      /* of the ball; 0 for separate arms */
    int features; /* of an arm in a round; 0: rounds have none */
    bool unit_rewards;
    bool fresh; /* it has played no round since its start */
} seat;

struct cast {
    PyObject *templates; /* a list */
    PyObject *kept;      /* a list of what cast_keep got; NULL: nothing */
    PyObject *draw;
    seat **seats;
    int seat_count;
    bool loading, rehearsing;
    bool shared;           /* calls come from any thread, without Python's lock */
    PyThreadState *thread; /* Python's state of the thread that calls */
    PyInterpreterState *interpreter;
    atomic_bool failed;
    PyObject *error[3]; /* the first exception: type, value, traceback */
};

static cast nobody;
static _Thread_local cast *present;
static _Atomic(cast *) shared_cast;

/* --------------------------------------------- Python's lock, exceptions ---------------------------------------- */

/* Python's lock is taken before, and dropped after, everything that touches an object. */
void cast_take_lock(cast *c) {
    if (!c->shared) return;
    if (c->thread == NULL) c->thread = PyThreadState_New(c->interpreter);
    PyEval_AcquireThread(c->thread);
}

void cast_drop_lock(cast *c) {
    if (c->shared) PyEval_ReleaseThread(c->thread);
}

/* The first exception is kept, to be raised later; later ones are dropped. */
void cast_keep_exception(cast *c) {
    if (c->error[0] == NULL)
        PyErr_Fetch(&c->error[0], &c->error[1], &c->error[2]);
    else
        PyErr_Clear();
    atomic_store(&c->failed, true);
}

bool cast_failed(const cast *c) {
    return atomic_load(&c->failed);
}

void cast_stop(cast *c) {
    atomic_store(&c->failed, true);
}

bool cast_raise(cast *c) {
    if (c == NULL || c->error[0] == NULL) return false;
    PyErr_Restore(c->error[0], c->error[1], c->error[2]);
    c->error[0] = c->error[1] = c->error[2] = NULL;
    atomic_store(&c->failed, false);
    return true;
}

/* --------------------------------------------------- for stages -------------------------------------------------- */

cast *cast_present(void) {
    cast *c = present != NULL ? present : atomic_load(&shared_cast);
    return c != &nobody ? c : NULL;
}

PyObject *cast_object(const cast *c, Py_ssize_t number, const char *from, const char *name) {
    PyObject *object = PyList_GetItem(c->templates, number), *class = NULL;
    if (object != NULL) class = module_import(from, name);
    int fits = class != NULL ? PyObject_IsInstance(object, class) : -1;
    Py_XDECREF(class);
    return fits > 0 ? object : NULL;
}

bool cast_keep(cast *c, PyObject *thing) {
    if (c->kept == NULL) c->kept = PyList_New(0);
    return c->kept != NULL && PyList_Append(c->kept, thing) == 0;
}

PyObject *cast_draw(const cast *c) {
    return c->draw;
}

/* ---------------------------------------------------- seats ------------------------------------------------------ */

static void empty_seat(seat *s) {
    Py_CLEAR(s->learner);
    Py_CLEAR(s->act);
    Py_CLEAR(s->learn);
}

static const char *name_of_act(const seat *s) {
    return s->features > 0 ? "act_in" : "act";
}

/* Takes over the reference. */
static bool seat_learner(seat *s, PyObject *learner) {
    empty_seat(s);
    s->learner = learner;
    if (learner == NULL) return false;
    s->act = PyObject_GetAttrString(learner, name_of_act(s));
    s->learn = s->act != NULL ? PyObject_GetAttrString(learner, s->features > 0 ? "learn_in" : "learn") : NULL;
    return s->learn != NULL;
}

static seat *add_seat(cast *c) {
    seat **seats = realloc(c->seats, ((size_t)c->seat_count + 1) * sizeof *seats);
    if (seats != NULL) c->seats = seats;
    seat *s = seats != NULL ? calloc(1, sizeof *s) : NULL;
    if (s == NULL) return NULL;
    s->cast = c;
    c->seats[c->seat_count++] = s;
    return s;
}

/* The points row by row, in memory of their own: a learner that keeps its arms may outlive its posse. */
static PyObject *points_of(const posse_space *space) {
    size_t arms = (size_t)posse_space_arms(space), dim = (size_t)posse_space_dim(space), row = dim * sizeof(double);
    if (arms == 0 || dim == 0) return Py_NewRef(Py_None);
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)(arms * row));
    if (bytes == NULL) return NULL;
    char *data = PyBytes_AsString(bytes);
    for (size_t i = 0; i < arms; i++) memcpy(data + i * row, posse_space_point(space, (int)i), row);
    array_shape shape = {.data = data,
                         .format = 'd',
                         .axes = 2,
                         .sizes = {(Py_ssize_t)arms, (Py_ssize_t)dim},
                         .strides = {(Py_ssize_t)row, sizeof(double)}};
    PyObject *points = array_over(bytes, &shape);
    Py_DECREF(bytes);
    return points;
}

static PyObject *arms_of(const posse_space *space) {
    PyObject *class = module_import("posse.learner", "Arms"), *points = class != NULL ? points_of(space) : NULL;
    PyObject *arms = NULL;
    if (points != NULL)
        arms = PyObject_CallFunction(class, "iiOi", posse_space_arms(space), posse_space_dim(space), points,
                                     posse_space_features(space));
    Py_XDECREF(points);
    Py_XDECREF(class);
    return arms;
}

static bool has_unit_rewards(PyObject *learner) {
    PyObject *flag = PyObject_GetAttrString(learner, "unit_rewards");
    int truth = flag != NULL ? PyObject_IsTrue(flag) : -1;
    Py_XDECREF(flag);
    return truth == 1;
}

static bool cast_furnish(seat *s, Py_ssize_t number, PyObject *template, const posse_space *space) {
    s->number = number;
    s->template = Py_NewRef(template);
    s->arms = arms_of(space);
    s->count = posse_space_arms(space);
    s->dim = s->count == 0 ? posse_space_dim(space) : 0;
    s->features = posse_space_features(space);
    s->unit_rewards = has_unit_rewards(template);
    return s->arms != NULL && !PyErr_Occurred();
}

/* ----------------------------------------------------- calls ----------------------------------------------------- */

static PyObject *point_array(const double *point, int dim) {
    void *numbers;
    PyObject *array = array_new((size_t)dim, 'd', &numbers);
    for (int j = 0; array != NULL && j < dim; j++) ((double *)numbers)[j] = point[j];
    return array;
}

/* The name of the learner's class, for messages. */
static PyObject *class_name(const seat *s) {
    return PyType_GetName(Py_TYPE(s->template));
}

static int cast_take_point(const seat *s, PyObject *answer, double *point) {
    Py_buffer buffer;
    if (!array_take_reals(answer, "point", &buffer)) return NO_ARM;
    const double *numbers = buffer.buf;
    bool fits = buffer.len == (Py_ssize_t)sizeof(double) * s->dim;
    double square = 0.0;
    for (int j = 0; fits && j < s->dim; j++) {
        point[j] = numbers[j];
        square += numbers[j] * numbers[j];
    }
    PyObject *name = class_name(s);
    if (name != NULL && !fits)
        PyErr_Format(PyExc_ValueError, "%U.act() returned %zd numbers; a point of this ball has %d", name,
                     buffer.len / (Py_ssize_t)sizeof(double), s->dim);
    else if (name != NULL && !(square <= 1.0 + 1e-9))
        PyErr_Format(PyExc_ValueError, "%U.act() returned a point outside of the unit ball", name);
    Py_XDECREF(name);
    PyBuffer_Release(&buffer);
    return PyErr_Occurred() ? NO_ARM : -1;
}

/*
 * The arm that a learner returned. To Python True, False and NumPy's whole numbers are whole numbers, too. A number
 * that is too large for the C type is cut to its limit, which is no arm either.
 */
static int cast_take_arm(const seat *s, PyObject *answer) {
    Py_ssize_t arm = PyNumber_AsSsize_t(answer, NULL);
    bool whole = !PyErr_Occurred();
    if (whole && arm >= 0 && arm < s->count) return (int)arm;
    if (!whole && !PyErr_ExceptionMatches(PyExc_TypeError)) return NO_ARM;
    PyErr_Clear();
    PyObject *name = class_name(s);
    if (name != NULL)
        PyErr_Format(whole ? PyExc_ValueError : PyExc_TypeError,
                     "%U.%s() returned %.80R; it has to return an arm, 0 to %d", name, name_of_act(s), answer,
                     s->count - 1);
    Py_XDECREF(name);
    return NO_ARM;
}

/* The place in a round of the arm that a learner returned. */
static int take_place(const seat *s, PyObject *answer, const posse_round *round) {
    int arm = cast_take_arm(s, answer), place = 0;
    if (arm == NO_ARM) return NO_ARM;
    while (place < round->count && round->arms[place] != arm) place++;
    if (place < round->count) return place;
    PyObject *name = class_name(s);
    if (name != NULL)
        PyErr_Format(PyExc_ValueError, "%U.%s() returned arm %d, which is not available in this round", name,
                     name_of_act(s), arm);
    Py_XDECREF(name);
    return NO_ARM;
}

/* The bound method keeps the copy alive as long as it is needed. */
static PyObject *act_of_copy(const seat *s) {
    PyObject *copy = PyObject_CallFunctionObjArgs(module.deep_copy, s->learner, NULL);
    PyObject *method = copy != NULL ? PyObject_GetAttrString(copy, name_of_act(s)) : NULL;
    Py_XDECREF(copy);
    return method;
}

/* What the learner returns; `round` is NULL if rounds have no features. NULL with an exception set. */
static PyObject *call_act(seat *s, posse_draw *draw, PyObject *round) {
    PyObject *lent = s->cast->draw;
    if (s->act == NULL) {
        PyErr_SetString(PyExc_RuntimeError, "this learner is gone");
        return NULL;
    }
    PyObject *method = s->cast->rehearsing ? act_of_copy(s) : Py_NewRef(s->act);
    if (method == NULL) return NULL;
    s->fresh = false;
    draw_lend(lent, draw);
    PyObject *answer = PyObject_CallFunctionObjArgs(method, lent, round, NULL);
    draw_lend(lent, NULL);
    Py_DECREF(method);
    return answer;
}

static int cast_ask(seat *s, posse_draw *draw, double *point) {
    PyObject *answer = call_act(s, draw, NULL);
    int arm = answer == NULL ? NO_ARM : s->dim > 0 ? cast_take_point(s, answer, point) : cast_take_arm(s, answer);
    Py_XDECREF(answer);
    return arm;
}

static int ask_in(seat *s, posse_draw *draw, const posse_round *round_) {
    PyObject *round = context_new_round(round_), *answer = round != NULL ? call_act(s, draw, round) : NULL;
    int place = answer != NULL ? take_place(s, answer, round_) : NO_ARM;
    Py_XDECREF(answer);
    Py_XDECREF(round);
    return place;
}

/* learn(arm or point, reward); in rounds with features learn_in(arm, features, reward). */
static bool cast_tell(seat *s, int arm, const double *point, double reward) {
    s->fresh = false;
    PyObject *method = Py_XNewRef(s->learn);
    PyObject *what = s->dim > 0 ? point_array(point, s->dim) : PyLong_FromLong(arm);
    PyObject *features = s->features > 0 ? point_array(point, s->features) : NULL;
    PyObject *value = PyFloat_FromDouble(reward), *answer = NULL;
    bool ready = method != NULL && what != NULL && value != NULL && !PyErr_Occurred();
    if (ready && features != NULL)
        answer = PyObject_CallFunctionObjArgs(method, what, features, value, NULL);
    else if (ready)
        answer = PyObject_CallFunctionObjArgs(method, what, value, NULL);
    Py_XDECREF(value);
    Py_XDECREF(features);
    Py_XDECREF(what);
    Py_XDECREF(method);
    Py_XDECREF(answer);
    return answer != NULL;
}

static bool cast_begin(seat *s) {
    s->fresh = true;
    if (s->cast->loading) return seat_learner(s, Py_NewRef(s->template));
    if (!seat_learner(s, PyObject_CallFunctionObjArgs(module.deep_copy, s->template, NULL))) return false;
    PyObject *answer = PyObject_CallMethod(s->learner, "start", "O", s->arms);
    Py_XDECREF(answer);
    return answer != NULL;
}

/* ----------------------------------------------- the kind of learner --------------------------------------------- */

const posse_param cast_params[] = {{.name = "object",
                                    .type = POSSE_TYPE_COUNT,
                                    .flags = POSSE_PARAM_REQUIRED,
                                    .low = 0,
                                    .high = 1e9,
                                    .help = "which of the objects in Python"},
                                   {.name = NULL}};

/* The plan is the seat's address. */
typedef struct plan {
    seat *seat;
} plan;

/* The first copy is made here, where a failure can still be reported; cast_start makes the copies of later runs. */
static posse_error cast_prepare(const posse_setup *setup, void **out) {
    cast *c = cast_present();
    if (c == NULL) return posse_setup_refuse(setup, NULL, -1, "a learner in Python has to be given as an object");
    plan *p = posse_setup_allocate(setup, sizeof *p);
    if (p == NULL) return POSSE_ERROR_MEMORY;
    cast_take_lock(c);
    Py_ssize_t number = (Py_ssize_t)setup->settings[CAST_OBJECT].number;
    PyObject *template = cast_object(c, number, "posse.learner", "Learner");
    posse_error error = POSSE_OK;
    if (template == NULL) {
        PyErr_Clear();
        error = posse_setup_refuse(setup, NULL, -1, "there is no such learner in Python");
    } else if ((p->seat = add_seat(c)) == NULL)
        error = POSSE_ERROR_MEMORY;
    else if (!cast_furnish(p->seat, number, template, setup->space) || !cast_begin(p->seat)) {
        cast_keep_exception(c);
        error = posse_setup_refuse(setup, NULL, -1, "a learner in Python has raised an exception");
    }
    cast_drop_lock(c);
    *out = p;
    return error;
}

static size_t cast_state_size(const void *plan_) {
    (void)plan_;
    return 0;
}

static void cast_start(const void *plan_, void *state) {
    (void)state;
    seat *s = ((const plan *)plan_)->seat;
    if (s->fresh || cast_failed(s->cast)) return;
    cast_take_lock(s->cast);
    if (!cast_begin(s)) cast_keep_exception(s->cast);
    cast_drop_lock(s->cast);
}

static bool cast_unit_rewards(const void *plan_) {
    return ((const plan *)plan_)->seat->unit_rewards;
}

static int cast_act(const void *plan_, void *state, posse_draw *draw, double *point) {
    (void)state;
    seat *s = ((const plan *)plan_)->seat;
    if (cast_failed(s->cast)) return NO_ARM;
    cast_take_lock(s->cast);
    int arm = cast_ask(s, draw, point);
    if (arm == NO_ARM) cast_keep_exception(s->cast);
    cast_drop_lock(s->cast);
    return arm;
}

static int cast_act_in(const void *plan_, void *state, posse_draw *draw, const posse_round *round) {
    (void)state;
    seat *s = ((const plan *)plan_)->seat;
    if (cast_failed(s->cast)) return NO_ARM;
    cast_take_lock(s->cast);
    int place = ask_in(s, draw, round);
    if (place == NO_ARM) cast_keep_exception(s->cast);
    cast_drop_lock(s->cast);
    return place;
}

/*
 * An experiment ends with the first failure, so no learner learns after it. In a posse the other learners still learn.
 */
static void cast_learn(const void *plan_, void *state, int arm, const double *point, double reward) {
    (void)state;
    seat *s = ((const plan *)plan_)->seat;
    if (s->cast->shared && cast_failed(s->cast)) return;
    cast_take_lock(s->cast);
    if (!cast_tell(s, arm, point, reward)) cast_keep_exception(s->cast);
    cast_drop_lock(s->cast);
}

static const posse_learner_ops python = {.kind = {.version = POSSE_EXTENSION_VERSION,
                                                  .name = "python",
                                                  .help = "a learner written in Python",
                                                  .params = cast_params,
                                                  .prepare = cast_prepare,
                                                  .state_size = cast_state_size,
                                                  .start = cast_start,
                                                  .unit_rewards = cast_unit_rewards},
                                         .act = cast_act,
                                         .learn = cast_learn,
                                         .act_in = cast_act_in};

/* ------------------------------------------------------ casts ---------------------------------------------------- */

/* Registers the kinds when there is a first object in Python: until then the kinds are those of the program. */
static bool cast_register_kinds(void) {
    static bool done;
    posse_error error = done ? POSSE_OK : posse_learner_register(&python);
    if (!done && error == POSSE_OK) error = stage_register_kinds();
    done = error == POSSE_OK;
    if (!done) PyErr_SetString(PyExc_RuntimeError, posse_error_text(error));
    return done;
}

cast *cast_make(PyObject *learners) {
    cast *c = calloc(1, sizeof *c);
    if (c == NULL) return (cast *)PyErr_NoMemory();
    c->interpreter = PyInterpreterState_Get();
    c->templates = PySequence_List(learners);
    c->draw = draw_new();
    if (c->templates != NULL && c->draw != NULL && cast_register_kinds()) return c;
    cast_free(c);
    return NULL;
}

void cast_clear(cast *c) {
    for (int i = 0; i < c->seat_count; i++) {
        empty_seat(c->seats[i]);
        Py_CLEAR(c->seats[i]->template);
        Py_CLEAR(c->seats[i]->arms);
    }
    for (int i = 0; i < 3; i++) Py_CLEAR(c->error[i]);
    Py_CLEAR(c->templates);
    Py_CLEAR(c->kept);
}

void cast_free(cast *c) {
    if (c == NULL) return;
    cast_clear(c);
    for (int i = 0; i < c->seat_count; i++) free(c->seats[i]);
    Py_XDECREF(c->draw);
    free(c->seats);
    free(c);
}

int cast_traverse(cast *c, visitproc visit, void *arg) {
    for (int i = 0; i < c->seat_count; i++) {
        Py_VISIT(c->seats[i]->template);
        Py_VISIT(c->seats[i]->arms);
        Py_VISIT(c->seats[i]->learner);
        Py_VISIT(c->seats[i]->act);
        Py_VISIT(c->seats[i]->learn);
    }
    for (int i = 0; i < 3; i++) Py_VISIT(c->error[i]);
    Py_VISIT(c->templates);
    return 0;
}

cast *cast_enter(cast *c) {
    cast *before = present;
    present = c != NULL ? c : &nobody;
    return before;
}

void cast_leave(cast *before) {
    present = before;
}

bool cast_share(cast *c) {
    cast *none = NULL;
    if (!atomic_compare_exchange_strong(&shared_cast, &none, c)) {
        PyErr_SetString(PyExc_RuntimeError, "another experiment with objects in Python is running; one at a time");
        return false;
    }
    c->shared = true;
    return true;
}

void cast_unshare(cast *c) {
    c->shared = false;
    atomic_store(&shared_cast, NULL);
    if (c->thread == NULL) return;
    PyThreadState_Clear(c->thread);
    PyThreadState_Delete(c->thread);
    c->thread = NULL;
}

Py_ssize_t cast_add(cast *c, PyObject *learner) {
    return PyList_Append(c->templates, learner) == 0 ? PyList_Size(c->templates) - 1 : -1;
}

Py_ssize_t cast_count(const cast *c) {
    return PyList_Size(c->templates);
}

PyObject *cast_learner(const cast *c, Py_ssize_t number) {
    for (int i = c->seat_count - 1; i >= 0; i--)
        if (c->seats[i]->number == number) return c->seats[i]->learner;
    return NULL;
}

void cast_retire(cast *c, Py_ssize_t number) {
    for (int i = 0; i < c->seat_count; i++)
        if (c->seats[i]->number == number) {
            empty_seat(c->seats[i]);
            Py_CLEAR(c->seats[i]->template);
        }
    if (PyList_SetItem(c->templates, number, Py_NewRef(Py_None)) != 0) PyErr_Clear();
}

void cast_set_loading(cast *c, bool loading) {
    c->loading = loading;
}

void cast_set_rehearsing(cast *c, bool rehearsing) {
    c->rehearsing = rehearsing;
}
