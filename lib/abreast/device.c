/* SPDX-License-Identifier: MIT */
/*
 * Runs on a device: which posses can be played there, and the plan that describes them without a pointer
 * (abreast/device/job.h). Instances are drawn here, because a run has only one.
 */
#include "posse_device.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "abreast/device/job.h"
#include "base/format.h"
#include "belief/belief.h"
#include "environment/environment.h"
#include "model/abreast_form.h"
#include "object/object.h"
#include "random/philox.h"
#include "random/stream.h"

_Static_assert(DEVICE_KEYS == PHILOX_ROUNDS, "a plan has the keys of all rounds");

#define WIDTH_MOST 67584               /* runs of a flight: what an H200 plays at once */
#define NUMBERS_MOST ((size_t)1 << 27) /* of all tables: 1 GiB */

/* The least noise: rewards are then not tiny, and sums and quotients are computed with the usual rounding. */
#define NOISE_LEAST 1e-100

#define DRAWN 64 /* slots of the stream that instances are drawn from */

struct posse_device {
    const device_ops *ops;
    void *machine;
    const posse_environment *environment;
    arena memory;
    device_plan plan;
    device_competitor *competitors;
    uint32_t width;
    void *instance;
    posse_draw *draw;
    double *means, *best; /* of the flight in the air */

    double *numbers; /* the tables, which grow while the plan is made */
    size_t number_count, capacity;
    bool loops;            /* some competitor is played by the loops of play.h */
    int32_t *places;       /* of learners, competitor by competitor */
    uint8_t *descriptions; /* of competitors that the library plays */
    char *why;
};

/* ------------------------------------------------- refusals --------------------------------------------------- */

__attribute__((format(printf, 2, 3))) static posse_error refuse(posse_device *d, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    format_text_list(d->why, POSSE_DEVICE_TEXT, format, arguments);
    va_end(arguments);
    return POSSE_ERROR_ABSENT;
}

/* owner: the name of a learner, or empty. */
static posse_error refuse_kind(posse_device *d, const char *what, const char *owner, const posse_kind *kind) {
    const char *why =
        kind->reserved != NULL ? "has no form for a device with these options" : "has no form for a device";
    return refuse(d, "%s%s%s%s is of the kind %s, which %s", what, owner[0] != '\0' ? " \"" : "", owner,
                  owner[0] != '\0' ? "\"" : "", kind->name, why);
}

/* ------------------------------------------------- the tables ------------------------------------------------- */

/* Room for numbers at the end of the tables; SIZE_MAX: there is no memory. */
static size_t take_numbers(posse_device *d, size_t count) {
    size_t at = d->number_count, wanted = at + count + count % 2; /* places are even, so that pairs are aligned */
    if (wanted > NUMBERS_MOST) return SIZE_MAX;
    if (wanted > d->capacity) {
        size_t capacity = 2 * wanted;
        double *grown = memory_grow(&d->memory.allocator, d->numbers, capacity * sizeof *grown);
        if (grown == NULL) return SIZE_MAX;
        d->numbers = grown;
        d->capacity = capacity;
    }
    d->number_count = wanted;
    return at;
}

static size_t device_tabulated(const posse_device *d) {
    return (size_t)d->plan.rounds + 1;
}

/* UCB's 1 / n and 1 / sqrt(n), as learner/ucb.c computes them; or the variance and the sd, as belief/gaussian.c does.
 */
static void device_write_pairs(const posse_device *d, double *to, double sd, double precision, double weight,
                               bool bayes) {
    to[0] = 0.0;
    to[1] = sd;
    for (size_t n = 1; n < device_tabulated(d); n++) {
        double count = (double)n, variance = 1.0 / (precision + count * weight);
        to[2 * n] = bayes ? variance : 1.0 / count;
        to[2 * n + 1] = bayes ? sqrt(variance) : 1.0 / sqrt(count);
    }
}

/* Rules with equal pairs have one table. Returns the place of that table, or 0: there is none yet. */
static uint32_t find_pairs(const posse_device *d, const double *pairs) {
    for (uint32_t c = 0; c < d->plan.played; c++) {
        const device_competitor *other = &d->competitors[c];
        for (int32_t i = -1; i < other->learners; i++) {
            const device_rule *rule = i < 0 ? &other->belief : &other->rules[i];
            bool equal = rule->spread != 0 && rule->step == 0 &&
                         memcmp(d->numbers + rule->spread, pairs, 2 * device_tabulated(d) * sizeof *pairs) == 0;
            if (equal) return rule->spread;
        }
    }
    return 0;
}

/* What a rule starts from, and its pairs. form NULL: that of UCB, in which arms without rewards come first. */
static posse_error write_statistics(posse_device *d, const abreast_form *form, const void *plan, device_rule *r) {
    size_t arms = d->plan.arms, size = 2 * device_tabulated(d), starts = take_numbers(d, 2 * arms);
    bool alike = true;
    if (starts == SIZE_MAX) return POSSE_ERROR_MEMORY;
    for (size_t a = 0; a < arms; a++) {
        abreast_start start = {.mean = INFINITY}, first = start;
        if (form != NULL) start = form->start(plan, (int)a), first = form->start(plan, 0);
        d->numbers[starts + a] = start.mean;
        d->numbers[starts + arms + a] = start.weighted_sum;
        alike = alike && start.sd == first.sd && start.precision == first.precision;
    }
    r->means = (uint32_t)starts;
    r->sums = (uint32_t)(starts + arms);
    size_t pairs = take_numbers(d, alike ? size : arms * size);
    if (pairs == SIZE_MAX) return POSSE_ERROR_MEMORY;
    for (size_t a = 0; a < (alike ? 1 : arms); a++) {
        abreast_start start = {0};
        if (form != NULL) start = form->start(plan, (int)a);
        device_write_pairs(d, d->numbers + pairs + a * size, start.sd, start.precision, r->weight, form != NULL);
    }
    uint32_t found = alike ? find_pairs(d, d->numbers + pairs) : 0;
    if (found != 0) d->number_count = pairs;
    r->spread = found != 0 ? found : (uint32_t)pairs;
    r->step = alike ? 0 : (uint32_t)size;
    return POSSE_OK;
}

/* -------------------------------------------------- the rules ------------------------------------------------- */

static posse_error make_belief(posse_device *d, const posse_belief *b, const char *owner, device_rule *out) {
    const abreast_form *form = abreast_form_on_device(b->part.kind, b->part.plan);
    if (form == NULL)
        return refuse_kind(d, owner[0] != '\0' ? "the belief of the learner" : "the belief of the selector", owner,
                           b->part.kind);
    *out = (device_rule){.kind = DEVICE_BAYES, .weight = form->noise_precision(b->part.plan)};
    return write_statistics(d, form, b->part.plan, out);
}

static posse_error make_learner(posse_device *d, const member *m, device_rule *out) {
    const void *plan = m->part.plan;
    const abreast_form *form = abreast_form_on_device(m->part.kind, plan);
    if (form == NULL) return refuse_kind(d, "the learner", m->name, m->part.kind);
    *out = (device_rule){.kind = form->arm != NULL ? DEVICE_FIXED : DEVICE_UCB, .weight = 1.0};
    posse_error error =
        form->belief != NULL ? make_belief(d, form->belief(plan), m->name, out) : write_statistics(d, NULL, NULL, out);
    out->stream = stream_named(STREAM_LEARNER, m->name);
    if (form->arm != NULL) out->arm = form->arm(plan);
    if (form->radius == NULL || error != POSSE_OK) return error;
    size_t radii = take_numbers(d, device_tabulated(d));
    if (radii == SIZE_MAX) return POSSE_ERROR_MEMORY;
    d->numbers[radii] = 0.0;
    for (size_t n = 1; n < device_tabulated(d); n++) d->numbers[radii + n] = form->radius(plan, (double)n);
    out->radii = (uint32_t)radii;
    return POSSE_OK;
}

/* If data is shared, learners that add up the same rewards have one mind. */
static void device_find_mind(device_competitor *c, int32_t learner) {
    bool bayes = c->rules[learner].kind == DEVICE_BAYES;
    for (int32_t i = 0; i < c->minds && c->share && !bayes; i++)
        if (c->rules[c->minded[i]].kind != DEVICE_BAYES) {
            c->mind[learner] = i;
            return;
        }
    c->mind[learner] = c->minds;
    c->minded[c->minds++] = learner;
}

static posse_error make_learners(posse_device *d, const posse *p, device_competitor *c) {
    posse_error error = POSSE_OK;
    for (int32_t i = 0; i < p->count && error == POSSE_OK; i++) {
        error = make_learner(d, &p->members[i], &c->rules[i]);
        c->learners = i + 1;
        c->some_bayes |= c->rules[i].kind == DEVICE_BAYES;
        c->some_ucb |= c->rules[i].kind != DEVICE_BAYES;
        device_find_mind(c, i);
    }
    return error;
}

static posse_error make_selector(posse_device *d, const posse *p, device_competitor *c) {
    const part *s = &p->selector.part;
    const abreast_form *form = abreast_form_on_device(s->kind, s->plan);
    const double most = 1e18; /* far beyond the horizon */
    if (form == NULL) return refuse_kind(d, "the selector", "", s->kind);
    if (p->batch != 1) return refuse(d, "the selector chooses for batches of rounds");
    if (p->floor > 0.0) return refuse(d, "the selector has a floor");
    if (posse_play_weight(p, most) != 1.0) return refuse(d, "the selector forgets");
    c->selects = true;
    c->share = p->share;
    c->patient = posse_charge_share(p, 0.0, most) != 1.0;
    c->selector_stream = stream_named(STREAM_SELECTOR, NULL);
    c->ties_stream = stream_named(STREAM_TIES, NULL);
    if (c->patient) {
        size_t charged = take_numbers(d, device_tabulated(d));
        if (charged == SIZE_MAX) return POSSE_ERROR_MEMORY;
        for (size_t n = 0; n < device_tabulated(d); n++)
            d->numbers[charged + n] = posse_charge_share(p, 0.0, (double)n);
        c->charged = (uint32_t)charged;
    }
    return make_belief(d, form->belief(s->plan), "", &c->belief);
}

/* ------------------------------------------- by the library itself -------------------------------------------- */

static bool part_is_built_in(posse_family family, const posse_part *part_) {
    if (part_->kind == NULL) return true;
    bool built_in = registry_is_built_in(family, part_->kind);
    for (int i = 0; i < part_count_options(part_); i++)
        for (size_t k = 0; k < part_count_inside(&part_->options[i]); k++)
            built_in = built_in && part_is_built_in(POSSE_FAMILY_BELIEF, &part_->options[i].part[k]);
    return built_in;
}

/* What the library cannot play on a device. */
static posse_error refuse_on_device(posse_device *d, const posse *p) {
    posse_part environment = recipe_part(d->environment->recipe), selector = recipe_part(p->selector_recipe);
    if (d->environment->ops->logbook != NULL) return refuse(d, "rounds are rows of a log");
    if (p->space->episodes) return refuse(d, "rounds are episodes");
    if (p->space->arms == 0) return refuse(d, "there are no separate arms");
    if (p->space->points != NULL && p->space->dim > DEVICE_DIM_MOST)
        return refuse(d, "arms have %d coordinates, and a device plays at most %d", p->space->dim, DEVICE_DIM_MOST);
    if (!part_is_built_in(POSSE_FAMILY_ENVIRONMENT, &environment))
        return refuse(d, "the environment is of the kind %s, an extension", environment.kind);
    if (!part_is_built_in(POSSE_FAMILY_SELECTOR, &selector))
        return refuse(d, "the selector is of the kind %s, an extension or with a belief of an extension",
                      selector.kind);
    for (int i = 0; i < p->count; i++) {
        posse_part learner = recipe_part(p->members[i].recipe);
        if (p->members[i].external || !part_is_built_in(POSSE_FAMILY_LEARNER, &learner))
            return refuse(d, "the learner \"%s\" is of the kind %s, which is not in the library", p->members[i].name,
                          learner.kind);
    }
    return POSSE_OK;
}

/* The description that device/library.c reads. */
static void write_description(const posse_device *d, const posse *p, writer *w) {
    write_word(w, p->rounds);
    recipe_write(w, d->environment->recipe);
    recipe_write(w, p->selector_recipe);
    write_word(w, (uint64_t)p->count);
    for (int i = 0; i < p->count; i++) {
        write_text(w, p->members[i].name);
        recipe_write(w, p->members[i].recipe);
    }
}

static posse_error describe_by_library(posse_device *d, const posse *p, device_competitor *c) {
    posse_error error = refuse_on_device(d, p);
    if (error != POSSE_OK) return error;
    writer size = {0};
    write_description(d, p, &size);
    uint8_t *grown = memory_grow(&d->memory.allocator, d->descriptions, d->plan.description_size + size.length);
    if (grown == NULL) return POSSE_ERROR_MEMORY;
    d->descriptions = grown;
    writer w = {.out = grown + d->plan.description_size};
    write_description(d, p, &w);
    *c = (device_competitor){.by_library = true,
                             .description = d->plan.description_size,
                             .description_size = (uint32_t)size.length,
                             .selects = p->selector.ops != NULL,
                             .learners = p->count};
    d->plan.description_size += (uint32_t)size.length;
    return POSSE_OK;
}

/* -------------------------------------------------- the plan -------------------------------------------------- */

/* Whether the loops of play.h play this environment. */
static posse_error check_environment(posse_device *d) {
    const posse_environment *e = d->environment;
    const abreast_form *form = abreast_form_on_device(e->part.kind, e->part.plan);
    if (form == NULL) return refuse_kind(d, "the environment", "", e->part.kind);
    if (!abreast_form_is_moderate(form, e->part.plan, e->space->arms) || !(form->noise(e->part.plan) >= NOISE_LEAST))
        return refuse(d, "the rewards of the environment may be extremely small or large");
    if (e->space->arms > DEVICE_ARMS_MOST)
        return refuse(d, "there are %d arms, and a device plays at most %d", e->space->arms, DEVICE_ARMS_MOST);
    if (d->plan.rounds > DEVICE_ROUNDS_MOST) return refuse(d, "a run has more than %d rounds", DEVICE_ROUNDS_MOST);
    d->plan.noise = form->noise(e->part.plan);
    return POSSE_OK;
}

static posse_error describe_record(posse_device *d, const posse_environment *e, const posse_device_record *record) {
    if (space_has_contexts(e->space)) return refuse(d, "rounds have features");
    if (record->rounds > UINT32_MAX / 2) return refuse(d, "a run has more than %u rounds", UINT32_MAX / 2);
    d->plan = (device_plan){.seed = e->seed,
                            .noise_stream = stream_named(STREAM_NOISE, NULL),
                            .arms = (uint32_t)e->space->arms,
                            .learners = (uint32_t)record->learners,
                            .selectors = (uint32_t)record->selectors,
                            .rounds = (uint32_t)record->rounds,
                            .tail = (uint32_t)record->tail,
                            .point_count = (uint32_t)record->point_count,
                            .watched_count = (uint32_t)record->watched_count,
                            .block_runs = record->block_runs};
    for (uint32_t round = 0; round < DEVICE_KEYS; round++) {
        uint32_t first = (uint32_t)e->seed + round * PHILOX_STEP_0;
        uint32_t second = (uint32_t)(e->seed >> 32) + round * PHILOX_STEP_1;
        d->plan.keys[round] = (uint64_t)second << 32 | first;
    }
    return POSSE_OK;
}

/* Numbers on the slip of a run for one competitor. */
static uint32_t slip_of(const posse_device *d, const device_competitor *c) {
    uint32_t learners = (uint32_t)c->learners, own = SLIP_WATCHED + d->plan.watched_count;
    return c->selects ? own + 3 * learners + 1 + c->matching_count * (2 * learners + 1) : own;
}

static posse_error describe_by_loops(posse_device *d, const posse *p, device_competitor *c) {
    posse_error error = check_environment(d);
    if (error != POSSE_OK) return error;
    size_t cells = (size_t)p->count * (size_t)p->space->arms;
    if (p->count > DEVICE_LEARNERS_MOST || cells > DEVICE_CELLS_MOST)
        return refuse(d, "a device plays at most %d learners, and learners times arms at most %d", DEVICE_LEARNERS_MOST,
                      DEVICE_CELLS_MOST);
    if (p->selector.ops != NULL) error = make_selector(d, p, c);
    return error == POSSE_OK ? make_learners(d, p, c) : error;
}

/* The loops of play.h are many times as fast as the library, which plays what they cannot. */
static posse_error describe_player(posse_device *d, const posse *p, device_competitor *c) {
    const size_t numbers = d->number_count;
    if (p->active != p->count || p->space->active != NULL) return refuse(d, "a learner or an arm is retired");
    posse_error error = describe_by_loops(d, p, c);
    d->loops = d->loops || error == POSSE_OK;
    if (error != POSSE_ERROR_ABSENT || !d->ops->has_library) return error;
    d->number_count = numbers;
    return describe_by_library(d, p, c);
}

static posse_error keep_places(posse_device *d, const int *places, device_competitor *c) {
    size_t before = d->plan.place_count, count = before + (size_t)c->learners;
    int32_t *grown = memory_grow(&d->memory.allocator, d->places, count * sizeof *grown);
    if (grown == NULL) return POSSE_ERROR_MEMORY;
    d->places = grown;
    for (int32_t i = 0; i < c->learners; i++) grown[before + (size_t)i] = places[i];
    c->places = (uint32_t)before;
    d->plan.place_count = (uint32_t)count;
    return POSSE_OK;
}

static posse_error describe_competitor(posse_device *d, const posse_device_competitor *from, device_competitor *c) {
    const posse *p = from->player;
    if (p->seed != d->plan.seed || p->space->arms != (int)d->plan.arms) return POSSE_ERROR_FIT;
    posse_error error = describe_player(d, p, c);
    if (error == POSSE_OK) error = keep_places(d, from->places, c);
    if (error != POSSE_OK) return error;
    d->why[0] = '\0'; /* what the loops could not play, the library can */
    if (from->matching_count > DEVICE_MATCHING_MOST) return POSSE_ERROR_ARGUMENT;
    c->matching_count = (uint32_t)from->matching_count;
    for (int i = 0; i < from->matching_count; i++) c->matching[i] = (uint32_t)from->matching[i];
    c->slip = d->plan.slip_count;
    d->plan.slip_count += slip_of(d, c);
    return POSSE_OK;
}

/* Rounds as the device has them. */
static const uint32_t *copy_rounds(posse_device *d, const uint64_t *rounds, int count) {
    uint32_t *copy = arena_allocate(&d->memory, ((size_t)count + 1) * sizeof *copy);
    for (int i = 0; i < count && copy != NULL; i++) copy[i] = (uint32_t)rounds[i];
    return copy;
}

static posse_error make_plan(posse_device *d, const posse_device_record *record,
                             const posse_device_competitor *competitors, int count) {
    device_plan *p = &d->plan;
    posse_error error = describe_record(d, d->environment, record);
    if (error != POSSE_OK) return error;
    d->competitors = arena_allocate(&d->memory, (size_t)count * sizeof *d->competitors);
    p->points = copy_rounds(d, record->points, record->point_count);
    p->watched = copy_rounds(d, record->watched, record->watched_count);
    /* The first numbers are not used, so that no table begins at place 0. */
    if (d->competitors == NULL || p->points == NULL || p->watched == NULL || take_numbers(d, 2) == SIZE_MAX)
        return POSSE_ERROR_MEMORY;
    for (int i = 0; i < count && error == POSSE_OK; i++) {
        p->played = (uint32_t)i + 1;
        error = describe_competitor(d, &competitors[i], &d->competitors[i]);
    }
    p->competitors = p->played + (record->oracle ? 1 : 0);
    p->competitor = d->competitors;
    p->numbers = d->numbers;
    p->number_count = (uint32_t)d->number_count;
    p->places = d->places;
    p->descriptions = d->descriptions;
    return error;
}

/* ----------------------------------------------- whether it pays ---------------------------------------------- */

/* How long a round takes, in seconds: a run's in a thread of a processor, and that of many runs at once on a device. */
typedef struct pace {
    double processor, device;
} pace;

/* Measured on an H200 and processors of its machine (docs/gpu.md). */
static const pace loops_pace = {31e-9, 6e-6}, library_pace = {220e-9, 150e-6};
static const double seconds_to_start = 1.2;

/* How many flights these runs take. */
static double flights_of(double runs) {
    return ceil(runs / WIDTH_MOST);
}

/* Competitors of the loops are played one after another, those of the library side by side. */
static posse_error check_time(posse_device *d, const posse_device_record *record) {
    const double runs = record->runs, rounds = (double)record->rounds;
    double loops = 0.0, library = 0.0;
    for (uint32_t i = 0; i < d->plan.played; i++) *(d->competitors[i].by_library ? &library : &loops) += 1.0;
    double processors = (loops * loops_pace.processor + library * library_pace.processor) * runs * rounds;
    double device = seconds_to_start + rounds * (loops_pace.device * loops * flights_of(runs) +
                                                 library_pace.device * flights_of(library * runs));
    return device < processors / (double)record->threads
               ? POSSE_OK
               : refuse(d, "%d threads are expected to take less time than a device", record->threads);
}

/* --------------------------------------------- making and freeing --------------------------------------------- */

/* A flight has whole blocks, and no more than the experiment has. */
static uint32_t choose_width(const posse_device *d, uint32_t runs) {
    uint32_t block = d->plan.block_runs, most = WIDTH_MOST / block * block;
    uint32_t all = runs > 0 && runs < most ? (runs + block - 1) / block * block : most;
    return all > 0 ? all : block;
}

static posse_error open_machine(posse_device *d, const posse_device_record *record) {
    const char *wrong = d->ops->open(&d->machine, record->ordinal);
    if (wrong != NULL) return refuse(d, "the device cannot be used: %s", wrong);
    d->width = choose_width(d, record->runs);
    wrong = d->ops->prepare(d->machine, &d->plan, &d->width);
    return wrong == NULL ? POSSE_OK : refuse(d, "%s: %s", d->ops->name(d->machine), wrong);
}

static posse_error device_open(posse_device *d, const posse_device_record *record,
                               const posse_device_competitor *competitors, int count) {
    posse_error error = make_plan(d, record, competitors, count);
    if (error == POSSE_OK && record->threads > 0 && record->runs > 0) error = check_time(d, record);
    if (error == POSSE_OK) error = open_machine(d, record);
    if (error != POSSE_OK) return error;
    size_t cells = (size_t)d->plan.arms * d->width;
    d->instance = arena_allocate(&d->memory, d->environment->part.state_size);
    d->draw = draw_make(&d->memory, DRAWN);
    d->means = d->ops->allocate(cells * sizeof *d->means);
    d->best = d->ops->allocate(d->width * sizeof *d->best);
    bool ok = d->instance != NULL && d->draw != NULL && d->means != NULL && d->best != NULL;
    return ok ? POSSE_OK : POSSE_ERROR_MEMORY;
}

posse_error posse_device_create(const void *ops, const posse_environment *e, const posse_device_record *record,
                                const posse_device_competitor *competitors, int count, posse_device **out,
                                char why[POSSE_DEVICE_TEXT]) {
    if (out == NULL) return POSSE_ERROR_ARGUMENT;
    *out = NULL;
    if (ops == NULL || e == NULL || record == NULL || competitors == NULL || count < 1 || why == NULL)
        return POSSE_ERROR_ARGUMENT;
    why[0] = '\0';
    posse_device *d = memory_allocate(&e->host.allocator, sizeof *d);
    if (d == NULL) return POSSE_ERROR_MEMORY;
    d->ops = ops;
    d->environment = e;
    d->memory.allocator = e->host.allocator;
    d->why = why;
    posse_error error = d->ops->version == DEVICE_VERSION
                            ? device_open(d, record, competitors, count)
                            : refuse(d, "the shared object for the device is of another version of posse");
    if (error == POSSE_OK) *out = d;
    if (error != POSSE_OK) posse_device_free(d);
    return error;
}

void posse_device_free(posse_device *d) {
    if (d == NULL) return;
    posse_allocator allocator = d->memory.allocator;
    if (d->means != NULL) d->ops->release(d->means);
    if (d->best != NULL) d->ops->release(d->best);
    if (d->machine != NULL) d->ops->close(d->machine);
    memory_release(&allocator, d->numbers);
    memory_release(&allocator, d->places);
    memory_release(&allocator, d->descriptions);
    arena_release(&d->memory);
    memory_release(&allocator, d);
}

const char *posse_device_name(const posse_device *d) {
    return d->ops->name(d->machine);
}

uint32_t posse_device_width(const posse_device *d) {
    return d->width;
}

size_t posse_device_slip(const posse_device *d, int competitor) {
    return d->competitors[competitor].slip;
}

/* -------------------------------------------------- results --------------------------------------------------- */

posse_device_results *posse_device_results_make(const posse_device *d, uint32_t kept) {
    const device_plan *p = &d->plan;
    posse_device_results *r = memory_allocate(&d->memory.allocator, sizeof *r);
    if (r == NULL) return NULL;
    size_t blocks = (d->width - 1) / p->block_runs + 1, points = p->point_count,
           reduced = blocks * p->competitors * points;
    size_t chosen = (size_t)p->selectors * points, curves = (size_t)p->played * points * kept;
    r->slip_count = p->slip_count;
    r->kept_most = kept;
    r->slips = d->ops->allocate((size_t)d->width * p->slip_count * sizeof *r->slips);
    r->mean = d->ops->allocate(reduced * sizeof *r->mean);
    r->m2 = d->ops->allocate(reduced * sizeof *r->m2);
    r->optimal = d->ops->allocate(reduced * sizeof *r->optimal);
    r->shares = d->ops->allocate((blocks * chosen * p->learners + 1) * sizeof *r->shares);
    r->regrets = d->ops->allocate((curves + 1) * sizeof *r->regrets);
    r->marks = d->ops->allocate((curves + 1) * sizeof *r->marks);
    r->choices = d->ops->allocate((chosen * kept + 1) * sizeof *r->choices);
    if (r->slips != NULL && r->mean != NULL && r->m2 != NULL && r->optimal != NULL && r->shares != NULL &&
        r->regrets != NULL && r->marks != NULL && r->choices != NULL)
        return r;
    posse_device_results_free(d, r);
    return NULL;
}

void posse_device_results_free(const posse_device *d, posse_device_results *r) {
    if (r == NULL) return;
    void *const parts[] = {r->slips, r->mean, r->m2, r->optimal, r->shares, r->regrets, r->marks, r->choices};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (parts[i] != NULL) d->ops->release(parts[i]);
    memory_release(&d->memory.allocator, r);
}

/* -------------------------------------------------- playing --------------------------------------------------- */

static void draw_instances(posse_device *d, const uint32_t *runs, uint32_t count) {
    const posse_environment *e = d->environment;
    for (uint32_t i = 0; i < count; i++) {
        draw_start(d->draw, e->seed, runs[i], stream_named(STREAM_INSTANCE, NULL), 0);
        e->ops->begin(e->part.plan, d->instance, e->space, d->draw);
        const independent_arms *arms = d->instance;
        d->best[i] = arms->best;
        for (int arm = 0; arm < e->space->arms; arm++) d->means[(size_t)arm * count + i] = arms->means[arm];
    }
}

posse_error posse_device_play(posse_device *d, const uint32_t *runs, uint32_t count, uint32_t kept,
                              posse_device_results *r, void (*tell)(void *context, uint64_t rounds), void *context,
                              char why[POSSE_DEVICE_TEXT]) {
    if (d == NULL || runs == NULL || r == NULL || tell == NULL || why == NULL) return POSSE_ERROR_ARGUMENT;
    if (count < 1 || count > d->width || kept > count || kept > r->kept_most) return POSSE_ERROR_ARGUMENT;
    device_failure failure = {0};
    if (d->loops) draw_instances(d, runs, count);
    r->kept = kept;
    device_flight f = {.count = count,
                       .runs = runs,
                       .means = d->means,
                       .best = d->best,
                       .slips = r->slips,
                       .reduced = {r->mean, r->m2, r->optimal, r->shares},
                       .kept = {kept, r->regrets, r->marks, r->choices},
                       .failure = &failure};
    const char *wrong = d->ops->play(d->machine, &f, tell, context);
    if (wrong == NULL && failure.error == POSSE_OK) return POSSE_OK;
    if (wrong == NULL) {
        snprintf(why, POSSE_DEVICE_TEXT, "run %u: %s", failure.run, posse_error_text((posse_error)failure.error));
        return (posse_error)failure.error;
    }
    snprintf(why, POSSE_DEVICE_TEXT, "%s: %s", posse_device_name(d), wrong);
    return POSSE_ERROR_ABSENT;
}

void posse_device_halt(posse_device *d) {
    d->ops->halt(d->machine);
}
