/* SPDX-License-Identifier: MIT */
#include "experiment/play/flights.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiment/play/device_library.h"
#include "posse_device.h"
#include "posse_inside.h"

#define SLOTS 2 /* one flight is in the air, and the blocks of another one are made */

typedef struct flight_slot {
    posse_device_results *results;
    uint32_t flight; /* the number of the flight that landed here last, from 1 */
    uint32_t left;   /* blocks of it that have not been made yet */
} flight_slot;

struct flights {
    const agenda *agenda;
    posse_environment *environment;
    posse **posses;
    posse_device *device;
    uint32_t flight_blocks; /* blocks of a flight, but the last */
    uint32_t *runs;         /* of the flight in the air */

    player_control *control;
    uint32_t next; /* the block of the agenda to look at next */
    bool (*plays)(uint32_t index);
    pthread_t pilot;
    bool flying;

    pthread_mutex_t lock; /* guards all that follows */
    pthread_cond_t changed;
    flight_slot slots[SLOTS];
    bool ended;
    char problem[POSSE_DEVICE_TEXT];
};

/* ---------------------------------------------- opening and closing ------------------------------------------ */

static int flights_players(const flights *f) {
    return f->agenda->selectors + f->agenda->solos;
}

static posse_error make_posses(flights *f) {
    const agenda *a = f->agenda;
    const experiment *x = a->experiment;
    posse_part *room = malloc((size_t)a->learners * sizeof *room);
    f->posses = calloc((size_t)flights_players(f), sizeof *f->posses);
    posse_error error = room != NULL && f->posses != NULL ? POSSE_OK : POSSE_ERROR_MEMORY;
    if (error == POSSE_OK) error = posse_environment_create(&x->environment, x->seed, NULL, &f->environment);
    for (int i = 0; i < flights_players(f) && error == POSSE_OK; i++)
        error = player_posse(a, f->environment, i, i < a->selectors ? &x->selectors[i] : NULL, room, &f->posses[i]);
    free(room);
    return error;
}

static posse_error make_device(flights *f, const void *ops, const flights_plan *plan, char why[POSSE_DEVICE_TEXT]) {
    const agenda *a = f->agenda;
    posse_device_record record = {.runs = a->experiment->runs,
                                  .rounds = a->experiment->rounds,
                                  .tail = a->tail,
                                  .points = a->points,
                                  .point_count = a->point_count,
                                  .watched = a->watched,
                                  .watched_count = a->watched_count,
                                  .learners = a->learners,
                                  .selectors = a->selectors,
                                  .oracle = a->oracle >= 0,
                                  .block_runs = a->block_runs,
                                  .ordinal = plan->ordinal,
                                  .threads = plan->threads};
    posse_device_competitor *competitors = calloc((size_t)flights_players(f), sizeof *competitors);
    int *places = malloc((size_t)a->solos * sizeof *places + 1);
    if (competitors == NULL || places == NULL) {
        free(competitors);
        free(places);
        return POSSE_ERROR_MEMORY;
    }
    for (int i = 0; i < flights_players(f); i++) {
        bool selects = i < a->selectors;
        if (!selects) places[i - a->selectors] = i - a->selectors;
        competitors[i].player = f->posses[i];
        competitors[i].places = selects ? a->experiment->teams[i].learners : &places[i - a->selectors];
        competitors[i].matching = selects ? a->matching + i * MATCHING_ROUNDS : NULL;
        competitors[i].matching_count = selects ? a->matching_count[i] : 0;
    }
    posse_error error =
        posse_device_create(ops, f->environment, &record, competitors, flights_players(f), &f->device, why);
    free(competitors);
    free(places);
    return error;
}

/* Only the first runs keep their curves. Where they are in one flight, the slot of flight 1 alone has room for them. */
static posse_error make_slots(flights *f) {
    const agenda *a = f->agenda;
    uint32_t width = posse_device_width(f->device), kept = a->curve_runs < width ? a->curve_runs : width;
    f->flight_blocks = width / a->block_runs;
    f->runs = malloc(width * sizeof *f->runs);
    bool ok = f->runs != NULL;
    for (int i = 0; i < SLOTS && ok; i++) {
        f->slots[i].results = posse_device_results_make(f->device, i == 1 || kept < a->curve_runs ? kept : 0);
        ok = f->slots[i].results != NULL;
    }
    return ok ? POSSE_OK : POSSE_ERROR_MEMORY;
}

/* What a device cannot play, whatever its kind; NULL: nothing. */
static const char *refuse_agenda(const agenda *a) {
    if (a->logged) return "rounds are rows of a log";
    if (a->tasks > 1) return "a run has several tasks";
    if (a->arms == 0) return "there are no separate arms";
    return NULL;
}

flights *flights_open(const agenda *a, const flights_plan *plan, char *why, size_t size) {
    char text[POSSE_DEVICE_TEXT] = "";
    const char *refusal = refuse_agenda(a);
    const void *ops = refusal == NULL ? device_library_load(text, sizeof text) : NULL;
    flights *f = ops != NULL ? calloc(1, sizeof *f) : NULL;
    posse_error error = f != NULL ? POSSE_OK : POSSE_ERROR_MEMORY;
    if (f != NULL) {
        f->agenda = a;
        pthread_mutex_init(&f->lock, NULL);
        pthread_cond_init(&f->changed, NULL);
        error = make_posses(f);
        if (error == POSSE_OK) error = make_device(f, ops, plan, text);
        if (error == POSSE_OK) error = make_slots(f);
    }
    if (error == POSSE_OK) return f;
    flights_close(f);
    snprintf(why, size, "%s", refusal != NULL ? refusal : text[0] != '\0' ? text : posse_error_text(error));
    return NULL;
}

void flights_close(flights *f) {
    if (f == NULL) return;
    for (int i = 0; i < SLOTS && f->device != NULL; i++) posse_device_results_free(f->device, f->slots[i].results);
    posse_device_free(f->device);
    for (int i = 0; i < flights_players(f) && f->posses != NULL; i++) posse_free(f->posses[i]);
    posse_environment_free(f->environment);
    pthread_cond_destroy(&f->changed);
    pthread_mutex_destroy(&f->lock);
    free(f->posses);
    free(f->runs);
    free(f);
}

const char *flights_device(const flights *f) {
    return posse_device_name(f->device);
}

/* -------------------------------------------------- the pilot ------------------------------------------------ */

static void pilot_tell(void *context, uint64_t rounds) {
    atomic_fetch_add(&((flights *)context)->control->rounds, rounds);
}

/* Lists the runs of the next flight. Returns how many blocks it has. */
static uint32_t list_runs(flights *f, uint32_t *count, uint32_t *kept) {
    const agenda *a = f->agenda;
    uint32_t blocks = 0;
    *count = *kept = 0;
    for (; f->next < a->blocks && blocks < f->flight_blocks; f->next++) {
        if (!f->plays(f->next)) continue;
        uint32_t first = agenda_block_first(a, f->next), runs = agenda_block_count(a, f->next);
        for (uint32_t i = 0; i < runs; i++) f->runs[(*count)++] = first + i;
        if (first < a->curve_runs) *kept = *count;
        blocks++;
    }
    return blocks;
}

/* Waits until the blocks of the flight before the last have been made. */
static flight_slot *await_slot(flights *f, uint32_t flight) {
    flight_slot *s = &f->slots[flight % SLOTS];
    pthread_mutex_lock(&f->lock);
    while (s->left > 0 && !f->ended) pthread_cond_wait(&f->changed, &f->lock);
    bool ended = f->ended;
    pthread_mutex_unlock(&f->lock);
    return ended ? NULL : s;
}

static void flights_land(flights *f, flight_slot *s, uint32_t flight, uint32_t blocks, const char *problem) {
    pthread_mutex_lock(&f->lock);
    s->flight = flight;
    s->left = blocks;
    if (problem != NULL) snprintf(f->problem, sizeof f->problem, "%s", problem);
    f->ended = f->ended || problem != NULL;
    pthread_cond_broadcast(&f->changed);
    pthread_mutex_unlock(&f->lock);
}

static void *pilot_fly(void *context) {
    flights *f = context;
    uint32_t count, kept, blocks;
    flight_slot *s;
    for (uint32_t flight = 1; (blocks = list_runs(f, &count, &kept)) > 0 && (s = await_slot(f, flight)) != NULL;
         flight++) {
        char why[POSSE_DEVICE_TEXT] = "";
        posse_error error = posse_device_play(f->device, f->runs, count, kept, s->results, pilot_tell, f, why);
        if (error != POSSE_OK && why[0] == '\0') snprintf(why, sizeof why, "%s", posse_error_text(error));
        flights_land(f, s, flight, blocks, error != POSSE_OK ? why : NULL);
    }
    return NULL;
}

bool flights_begin(flights *f, uint32_t first, bool (*plays)(uint32_t index), player_control *control) {
    f->next = first;
    f->plays = plays;
    f->control = control;
    f->flying = pthread_create(&f->pilot, NULL, pilot_fly, f) == 0;
    return f->flying;
}

void flights_end(flights *f) {
    if (f == NULL) return;
    pthread_mutex_lock(&f->lock);
    f->ended = true;
    pthread_cond_broadcast(&f->changed);
    pthread_mutex_unlock(&f->lock);
    posse_device_halt(f->device);
    if (f->flying) pthread_join(f->pilot, NULL);
    f->flying = false;
}

const char *flights_problem(flights *f) {
    pthread_mutex_lock(&f->lock);
    const char *problem = f->problem[0] != '\0' ? f->problem : NULL;
    pthread_mutex_unlock(&f->lock);
    return problem;
}

/* -------------------------------------------------- the blocks ----------------------------------------------- */

/* The choices of a selector, from its part of a slip behind the watched rounds. room: M numbers. */
static void flights_read_team(const flights *f, int s, const double *slip, sheet *r, double *room) {
    const agenda *a = f->agenda;
    selector_team team = a->experiment->teams[s];
    size_t learners = (size_t)team.count, row = (size_t)s * (size_t)a->learners;
    sheet_begin_team(r, a, s);
    for (size_t k = 0; k < learners; k++) {
        size_t i = row + (size_t)team.learners[k];
        r->plays[i] = slip[k];
        r->learner_regret[i] = slip[learners + k];
        r->coefficient[i] = slip[2 * learners + k];
    }
    slip += 3 * learners;
    const double clipped = *slip++;
    for (int q = 0; q < a->matching_count[s]; q++, slip += 2 * learners + 1) {
        int chosen = (int)slip[0];
        double before = (double)(a->matching[s * MATCHING_ROUNDS + q] - 1);
        for (size_t k = 0; k < learners; k++) {
            int m = team.learners[k];
            double charge = slip[1 + 2 * k], plays = slip[2 + 2 * k];
            room[m] = charge * posse_charge_share(f->posses[s], before, plays);
            if (m == chosen && plays == 0.0) room[m] = -1.0; /* it comes next, whatever is true */
        }
        sheet_match(r, a, s, q, room, chosen);
    }
    sheet_end_team(r, a, s, clipped);
}

static void read_slip(const flights *f, const double *slip, sheet *r, double *room) {
    const agenda *a = f->agenda;
    size_t watched = (size_t)a->watched_count;
    for (int who = 0; who < flights_players(f); who++) {
        const double *own = slip + posse_device_slip(f->device, who);
        r->final_regret[who] = own[0];
        r->final_optimal[who] = own[1] / (double)a->tail;
        memcpy(r->watched + (size_t)who * watched, own + 2, watched * sizeof *r->watched);
        if (who < a->selectors) flights_read_team(f, who, own + 2 + watched, r, room);
    }
}

/* The curves of a run that were kept. */
static void flights_read_curves(const flights *f, const posse_device_results *from, size_t run, sheet *r) {
    size_t points = (size_t)f->agenda->point_count, rows = (size_t)flights_players(f) * points,
           chosen = (size_t)f->agenda->selectors * points;
    for (size_t i = 0; i < rows; i++) r->regret[i] = from->regrets[i * from->kept + run];
    for (size_t i = 0; i < rows; i++) r->optimal[i] = from->marks[i * from->kept + run];
    for (size_t i = 0; i < chosen; i++) r->choice[i] = from->choices[i * from->kept + run];
}

/* place: of the block in its flight. */
static void make_block(const flights *f, const posse_device_results *from, size_t place, uint32_t runs, block *b,
                       flights_room *room, curves *c) {
    const agenda *a = f->agenda;
    size_t first = place * a->block_runs, size = (size_t)a->competitors * (size_t)a->point_count,
           shares = (size_t)a->selectors * (size_t)a->point_count * (size_t)a->learners;
    for (size_t run = first; run < first + runs; run++) {
        read_slip(f, from->slips + run * from->slip_count, &room->sheet, room->charges);
        if (b->curves) flights_read_curves(f, from, run, &room->sheet);
        sheet_finish(&room->sheet, a);
        block_add_head(b, a, &room->sheet);
        if (b->curves) curves_add(c, &room->sheet);
    }
    aggregate_put_curves(&b->aggregate, a, &room->sheet,
                         &(aggregate_curves){from->mean + place * size, from->m2 + place * size,
                                             from->optimal + place * size, from->shares + place * shares});
    if (b->curves) curves_pack(c, b);
}

bool flights_room_open(flights_room *room, const agenda *a) {
    room->charges = malloc((size_t)a->learners * sizeof *room->charges);
    return sheet_open(&room->sheet, a) && room->charges != NULL;
}

void flights_room_close(flights_room *room) {
    sheet_close(&room->sheet);
    free(room->charges);
}

bool flights_fill(flights *f, uint32_t number, block *b, flights_room *room, curves *c) {
    uint32_t flight = number / f->flight_blocks + 1, runs = f->agenda->experiment->runs - b->first;
    flight_slot *s = &f->slots[flight % SLOTS];
    pthread_mutex_lock(&f->lock);
    while (s->flight != flight && !f->ended) pthread_cond_wait(&f->changed, &f->lock);
    bool ended = f->ended;
    pthread_mutex_unlock(&f->lock);
    if (ended) return false;
    if (runs > f->agenda->block_runs) runs = f->agenda->block_runs;
    make_block(f, s->results, number % f->flight_blocks, runs, b, room, c);
    pthread_mutex_lock(&f->lock);
    if (--s->left == 0) pthread_cond_broadcast(&f->changed);
    pthread_mutex_unlock(&f->lock);
    return true;
}
