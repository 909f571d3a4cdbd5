/* SPDX-License-Identifier: MIT */
#include "experiment/play/crew.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/*
 * Workers claim blocks in order, and blocks are handed over in order. In between they lie in a window of slots: the
 * crew's n-th block is in slot n % slots from when it is claimed until it is released. A worker waits before it claims
 * a block beyond the window, so memory is bounded even if one block takes very long.
 */
#define SLOTS_AHEAD 4       /* besides one for each thread */
#define SLOTS_OF_FLIGHTS 28 /* the same where a device plays, which finishes many blocks at once */

typedef struct slot {
    block block;
    bool ready;
} slot;

struct crew {
    const agenda *agenda;
    crew_plan plan;
    uint32_t blocks; /* of this crew */
    player_control control;
    pthread_t *workers;
    int worker_count;

    pthread_mutex_t lock; /* guards all that follows */
    pthread_cond_t freed; /* a slot was released, or the crew was halted */
    pthread_cond_t ready; /* a block was finished, or the crew was halted */
    slot *slots;
    uint32_t slot_count;
    uint32_t next; /* the block of the agenda to look at next: it may be another crew's */
    uint32_t claimed, released;
    char problem[512]; /* the first thing that went wrong, or empty */
};

/* ------------------------------------------------- workers ------------------------------------------------- */

/* What a worker plays with. */
typedef struct tools {
    player *player;    /* NULL: flights play */
    flights_room room; /* for flights */
    curves curves;
    char told[400]; /* the first message of the library to the log, or empty */
} tools;

/* A message of the library is more precise than the text of its error code. */
static void crew_fail(crew *c, const tools *t, const char *who, uint32_t run, posse_error error) {
    const char *what = t->told[0] != '\0' ? t->told : posse_error_text(error);
    pthread_mutex_lock(&c->lock);
    if (c->problem[0] == '\0') {
        if (who != NULL)
            snprintf(c->problem, sizeof c->problem, "%s, run %u: %s", who, run, what);
        else
            snprintf(c->problem, sizeof c->problem, "%s", what);
    }
    atomic_store(&c->control.halt, true);
    pthread_cond_broadcast(&c->freed);
    pthread_cond_signal(&c->ready);
    pthread_mutex_unlock(&c->lock);
}

static void note_problem(void *context, const posse_place *place, const char *message) {
    tools *t = context;
    char where[200];
    posse_place_text(place, where, sizeof where);
    if (t->told[0] == '\0') snprintf(t->told, sizeof t->told, "%s%s%s", where, place != NULL ? ": " : "", message);
}

/* A claimed block: its index in the agenda, and how many blocks of the crew come before it. */
typedef struct turn {
    uint32_t index, number;
} turn;

/* The slot of the next block; NULL: no block is left, or the crew was halted. */
static slot *claim_block(crew *c, turn *own) {
    slot *claimed = NULL;
    pthread_mutex_lock(&c->lock);
    while (!atomic_load(&c->control.halt) && c->claimed < c->blocks && c->claimed - c->released == c->slot_count)
        pthread_cond_wait(&c->freed, &c->lock);
    if (!atomic_load(&c->control.halt) && c->claimed < c->blocks) {
        while (!c->plan.plays(c->next)) c->next++;
        *own = (turn){c->next++, c->claimed};
        claimed = &c->slots[c->claimed++ % c->slot_count];
    }
    pthread_mutex_unlock(&c->lock);
    return claimed;
}

static posse_error tools_open(tools *t, crew *c) {
    posse_logger log = {note_problem, t};
    *t = (tools){0};
    if (c->plan.flights == NULL) {
        posse_error error = player_make(c->agenda, &c->control, &log, &t->player);
        if (error != POSSE_OK) return error;
    } else if (!flights_room_open(&t->room, c->agenda))
        return POSSE_ERROR_MEMORY;
    return curves_open(&t->curves, c->agenda) ? POSSE_OK : POSSE_ERROR_MEMORY;
}

static void tools_close(tools *t) {
    curves_close(&t->curves);
    player_free(t->player);
    flights_room_close(&t->room);
}

static void crew_take_in(tools *t, block *b, const agenda *a, const sheet *r) {
    block_add(b, a, r);
    if (b->curves) curves_add(&t->curves, r);
}

/* Takes the block from the flights. */
static bool crew_receive(crew *c, tools *t, const turn *own, block *b) {
    block_begin(b, c->agenda, own->index);
    if (flights_fill(c->plan.flights, own->number, b, &t->room, &t->curves)) return true;
    const char *problem = flights_problem(c->plan.flights);
    if (problem != NULL) {
        snprintf(t->told, sizeof t->told, "%s", problem);
        crew_fail(c, t, NULL, 0, POSSE_ERROR_ABSENT);
    }
    return false;
}

static bool play_block(crew *c, tools *t, const turn *own, block *b) {
    const agenda *a = c->agenda;
    block_begin(b, a, own->index);
    uint32_t count = agenda_block_count(a, own->index), most = player_runs(t->player);
    for (uint32_t done = 0, now; done < count; done += now) {
        player_stop stop;
        now = count - done < most ? count - done : most;
        if (!player_play(t->player, b->first + done, now, &stop)) {
            if (stop.error != POSSE_OK) crew_fail(c, t, a->competitor[stop.competitor].name, stop.run, stop.error);
            return false;
        }
        for (uint32_t i = 0; i < now; i++) crew_take_in(t, b, a, player_sheet(t->player, i));
    }
    if (b->curves) curves_pack(&t->curves, b);
    return true;
}

static void hand_over(crew *c, slot *s) {
    pthread_mutex_lock(&c->lock);
    s->ready = true;
    pthread_cond_signal(&c->ready);
    pthread_mutex_unlock(&c->lock);
}

static void *crew_work(void *context) {
    crew *c = context;
    tools t;
    posse_error error = tools_open(&t, c);
    if (error != POSSE_OK) crew_fail(c, &t, NULL, 0, error);
    turn own;
    slot *s;
    while (error == POSSE_OK && (s = claim_block(c, &own)) != NULL) {
        if (!(c->plan.flights != NULL ? crew_receive : play_block)(c, &t, &own, &s->block)) break;
        hand_over(c, s);
    }
    tools_close(&t);
    return NULL;
}

/* -------------------------------------------- the caller's thread ------------------------------------------ */

size_t crew_await(crew *c, const block **blocks, size_t most) {
    struct timespec until;
    if (c->released == c->blocks) return 0;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += 100000000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_mutex_lock(&c->lock);
    slot *next = &c->slots[c->released % c->slot_count];
    if (!next->ready && !atomic_load(&c->control.halt)) pthread_cond_timedwait(&c->ready, &c->lock, &until);
    size_t count = 0;
    for (; next->ready && count < most && count < c->slot_count;
         next = &c->slots[(c->released + count) % c->slot_count])
        blocks[count++] = &next->block;
    pthread_mutex_unlock(&c->lock);
    return count;
}

void crew_release(crew *c, size_t count) {
    pthread_mutex_lock(&c->lock);
    for (size_t i = 0; i < count; i++) c->slots[c->released++ % c->slot_count].ready = false;
    pthread_cond_broadcast(&c->freed);
    pthread_mutex_unlock(&c->lock);
}

const char *crew_problem(crew *c) {
    return atomic_load(&c->control.halt) ? c->problem : NULL;
}

uint64_t crew_rounds(const crew *c) {
    return atomic_load(&c->control.rounds);
}

int crew_threads(const crew *c) {
    return c->worker_count;
}

/* --------------------------------------------- beginning, ending ------------------------------------------- */

/* There is at least one slot, though it may never be used: a crew may have no block to play. */
static bool open_slots(crew *c) {
    sheet shape;
    c->slot_count = (uint32_t)c->plan.threads + (c->plan.flights != NULL ? SLOTS_OF_FLIGHTS : SLOTS_AHEAD);
    if (c->slot_count > c->blocks) c->slot_count = c->blocks > 0 ? c->blocks : 1;
    c->slots = calloc(c->slot_count, sizeof *c->slots);
    bool ok = c->slots != NULL && sheet_open(&shape, c->agenda);
    for (uint32_t i = 0; i < c->slot_count && ok; i++) ok = block_open(&c->slots[i].block, c->agenda, &shape);
    if (c->slots != NULL) sheet_close(&shape);
    return ok;
}

static void open_locks(crew *c) {
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_mutex_init(&c->lock, NULL);
    pthread_cond_init(&c->freed, NULL);
    pthread_cond_init(&c->ready, &monotonic);
    pthread_condattr_destroy(&monotonic);
}

static bool start_workers(crew *c) {
    int wanted = c->plan.threads < (int)c->blocks ? c->plan.threads : (int)c->blocks;
    c->workers = calloc((size_t)wanted + 1, sizeof *c->workers);
    while (c->workers != NULL && c->worker_count < wanted &&
           pthread_create(&c->workers[c->worker_count], NULL, crew_work, c) == 0)
        c->worker_count++;
    return c->worker_count > 0 || (wanted == 0 && c->workers != NULL);
}

crew *crew_begin(const agenda *a, const crew_plan *plan) {
    crew *c = calloc(1, sizeof *c);
    if (c == NULL) return NULL;
    c->agenda = a;
    c->plan = *plan;
    c->next = plan->first;
    for (uint32_t b = plan->first; b < a->blocks; b++) c->blocks += plan->plays(b);
    open_locks(c);
    bool ready = plan->flights == NULL || flights_begin(plan->flights, plan->first, plan->plays, &c->control);
    if (ready && open_slots(c) && start_workers(c)) return c;
    crew_end(c);
    return NULL;
}

void crew_end(crew *c) {
    if (c == NULL) return;
    pthread_mutex_lock(&c->lock);
    atomic_store(&c->control.halt, true);
    pthread_cond_broadcast(&c->freed);
    pthread_mutex_unlock(&c->lock);
    flights_end(c->plan.flights);
    for (int i = 0; i < c->worker_count; i++) pthread_join(c->workers[i], NULL);
    for (uint32_t i = 0; i < c->slot_count && c->slots != NULL; i++) block_close(&c->slots[i].block);
    free(c->slots);
    free(c->workers);
    pthread_cond_destroy(&c->ready);
    pthread_cond_destroy(&c->freed);
    pthread_mutex_destroy(&c->lock);
    free(c);
}
