/* SPDX-License-Identifier: MIT */
#include "redis/value.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "served/health.h"

/* ------------------------------------------------------ memory --------------------------------------------------- */

static value_memory memory;
static serving *requests;

void value_set_up(const value_memory *from, serving *s) {
    memory = *from;
    requests = s;
}

/* Allocates memory for a value, and counts its bytes. */
static void *value_resize(void *context, void *block, size_t size) {
    value *v = context;
    size_t before = block != NULL ? memory.size_of(block) : 0, most = memory.most;
    bool grows = size > before && requests->bounded; /* Redis may free values in another thread */
    if (grows && (size > most || v->bytes - before > most - size)) return NULL;
    void *now = memory.resize(block, size);
    if (now == NULL && size > 0) return NULL;
    v->bytes += (now != NULL ? memory.size_of(now) : 0) - before;
    return now;
}

static posse_host host_of(value *v) {
    return (posse_host){.allocator = {value_resize, v}, .log = serving_logger(requests)};
}

static value *value_make(void) {
    value *v = memory.resize(NULL, sizeof *v);
    if (v != NULL) *v = (value){.served.health = health_make()}; /* without memory for it, nothing raises an alarm */
    return v;
}

void value_free(value *v) {
    if (v == NULL) return;
    posse_free(v->served.posse);
    health_free(v->served.health);
    memory.resize(v->settled, 0);
    memory.resize(v, 0);
}

served_status value_create(const description *d, value **out) {
    value *v = value_make();
    *out = NULL;
    if (v == NULL) return serving_no_memory(requests);
    served_status status = served_create(requests, d, host_of(v).allocator, &v->served.posse);
    if (status == SERVED_DONE)
        *out = v;
    else
        value_free(v);
    return status;
}

/* ----------------------------------------------------- as bytes -------------------------------------------------- */

/*
 * The format, little-endian: the magic word, the secret, the numbers of epochs and of settlements, both from the oldest
 * on, two words each, and the bytes of posse_save, which have a checksum of their own.
 */
static const char magic[8] = "posse.1";

#define WORD 8
#define HEADER (sizeof magic + SIPHASH_KEY + 2 * WORD)

static char *value_put(char *at, uint64_t word) {
    for (int i = 0; i < WORD; i++) at[i] = (char)(uint8_t)(word >> (8 * i));
    return at + WORD;
}

static uint64_t value_get(const char *at) {
    uint64_t word = 0;
    for (int i = 0; i < WORD; i++) word |= (uint64_t)(uint8_t)at[i] << (8 * i);
    return word;
}

static char *value_put_number(char *at, double number) {
    uint64_t word;
    memcpy(&word, &number, sizeof word);
    return value_put(at, word);
}

static double get_number(const char *at) {
    uint64_t word = value_get(at);
    double number;
    memcpy(&number, &word, sizeof number);
    return number;
}

/* The settlement of an age: 0 is the latest. */
static const past_reward *settled_at(const value *v, int age) {
    return &v->settled[(v->settled_next + v->settled_room - 1 - age) % v->settled_room];
}

static char *put_header(const value *v, char *at) {
    memcpy(at, magic, sizeof magic);
    memcpy(at + sizeof magic, v->served.key, SIPHASH_KEY);
    at = value_put(value_put(at + sizeof magic + SIPHASH_KEY, (uint64_t)v->epoch_count), (uint64_t)v->settled_count);
    for (int i = 0; i < v->epoch_count; i++) at = value_put(value_put(at, v->epochs[i].epoch), v->epochs[i].last);
    for (int age = v->settled_count - 1; age >= 0; age--)
        at = value_put_number(value_put(at, settled_at(v, age)->id), settled_at(v, age)->reward);
    return at;
}

char *value_write(const value *v, size_t *length) {
    size_t header = HEADER + (size_t)(v->epoch_count + v->settled_count) * 2 * WORD, saved = 0;
    if (posse_save(v->served.posse, NULL, &saved) != POSSE_OK) return NULL;
    char *bytes = memory.resize(NULL, header + saved);
    if (bytes == NULL) return NULL;
    if (posse_save(v->served.posse, put_header(v, bytes), &saved) == POSSE_OK) {
        *length = header + saved;
        return bytes;
    }
    value_release(bytes);
    return NULL;
}

void value_release(char *bytes) {
    memory.resize(bytes, 0);
}

/* Makes room for more settlements in the ring, which grows up to SETTLED_MAX. */
static bool value_make_room(value *v, size_t more) {
    int room = v->settled_room > 0 ? v->settled_room : 8;
    while (room < SETTLED_MAX && (size_t)(room - v->settled_count) < more) room *= 2;
    if (room == v->settled_room) return true;
    past_reward *larger = value_resize(v, v->settled, (size_t)room * sizeof *larger);
    if (larger == NULL) return false;
    v->settled = larger;
    v->settled_next = v->settled_count; /* the ring has not wrapped around so far */
    v->settled_room = room;
    return true;
}

static void value_remember(value *v, uint64_t id, double reward) {
    v->settled[v->settled_next] = (past_reward){id, reward};
    v->settled_next = (v->settled_next + 1) % v->settled_room;
    if (v->settled_count < v->settled_room) v->settled_count++;
}

static const char *get_epochs(value *v, const char *at, uint64_t count) {
    for (uint64_t i = 0; i < count; i++, at += 2 * WORD)
        v->epochs[i] = (past_epoch){value_get(at), value_get(at + WORD)};
    v->epoch_count = (int)count;
    return at;
}

/* NULL: a reward that cannot have been learned, or no memory. */
static const char *get_settled(value *v, const char *at, uint64_t count, posse_error *error) {
    for (uint64_t i = 0; i < count; i++, at += 2 * WORD) {
        double reward = get_number(at + WORD);
        *error = isinf(reward) ? POSSE_ERROR_DAMAGED : POSSE_ERROR_MEMORY;
        if (isinf(reward) || !value_make_room(v, 1)) return NULL;
        value_remember(v, value_get(at), isnan(reward) ? NAN : reward);
    }
    return at;
}

static posse_error read_into(value *v, const char *bytes, size_t length) {
    posse_error error = POSSE_OK;
    if (length < HEADER || memcmp(bytes, magic, sizeof magic) != 0) return POSSE_ERROR_DAMAGED;
    memcpy(v->served.key, bytes + sizeof magic, SIPHASH_KEY);
    uint64_t epochs = value_get(bytes + HEADER - 2 * WORD), settled = value_get(bytes + HEADER - WORD);
    if (epochs > EPOCHS_MAX || settled > SETTLED_MAX || (epochs + settled) * 2 * WORD > length - HEADER)
        return POSSE_ERROR_DAMAGED;
    const char *at = get_settled(v, get_epochs(v, bytes + HEADER, epochs), settled, &error);
    if (at == NULL) return error;
    posse_host host = host_of(v);
    return posse_load_exact(at, length - (size_t)(at - bytes), &host, &v->served.posse);
}

value *value_read(const char *bytes, size_t length, posse_error *error) {
    value *v = value_make();
    *error = v != NULL ? read_into(v, bytes, length) : POSSE_ERROR_MEMORY;
    if (*error == POSSE_OK) return v;
    value_free(v);
    return NULL;
}

/* ----------------------------------------------------- decisions ------------------------------------------------- */

posse_error value_begin_epoch(value *v, uint32_t epoch) {
    past_epoch over = {posse_epoch(v->served.posse), posse_decision_count(v->served.posse)};
    for (int i = 0; i < v->epoch_count; i++)
        if (v->epochs[i].epoch == epoch) return POSSE_ERROR_ARGUMENT;
    posse_error error = posse_set_epoch(v->served.posse, epoch);
    uint64_t first = v->epoch_count > 0 ? v->epochs[v->epoch_count - 1].last : 0;
    if (error != POSSE_OK || over.last == first) return error; /* the old epoch has no decisions: it is not stored */
    if (v->epoch_count == EPOCHS_MAX) memmove(v->epochs, v->epochs + 1, --v->epoch_count * sizeof *v->epochs);
    v->epochs[v->epoch_count++] = over;
    return POSSE_OK;
}

/* Whether an id was given to a decision in an epoch: id = epoch * 2^32 + number (posse.h). */
static bool was_given(uint64_t id, uint64_t epoch, uint64_t first, uint64_t last) {
    uint64_t number = id - (epoch << 32);
    return number > first && number <= last;
}

/* Whether this posse, or the posse that it was restored from, has made the decision. */
static bool has_made(const value *v, uint64_t id) {
    uint64_t first = 0;
    for (int i = 0; i < v->epoch_count; i++) {
        if (was_given(id, v->epochs[i].epoch, first, v->epochs[i].last)) return true;
        first = v->epochs[i].last;
    }
    return was_given(id, posse_epoch(v->served.posse), first, posse_decision_count(v->served.posse));
}

static served_status value_prepare(serving *s, served *p, size_t decisions, size_t records) {
    (void)decisions;
    return value_make_room((value *)p, records) ? SERVED_DONE : serving_no_memory(s);
}

/* Of expired decisions a value only has the fact that they are not pending. */
static void value_note(serving *s, served *p, const record *r) {
    (void)s;
    if (r->kind == RECORD_LEARN || r->kind == RECORD_FORGET) value_remember((value *)p, r->decision, r->reward);
}

static served_past value_find_past(serving *s, const served *p, uint64_t id, double *reward, const char **why) {
    (void)s;
    const value *v = (const value *)p;
    for (int age = 0; age < v->settled_count; age++)
        if (settled_at(v, age)->id == id) {
            *reward = settled_at(v, age)->reward;
            return isnan(*reward) ? PAST_FORGOTTEN : PAST_LEARNED;
        }
    *why = "this decision was lost in a crash or a failover, or is of an epoch long ago";
    return has_made(v, id) ? PAST_SETTLED : PAST_LOST;
}

const served_store value_store = {value_prepare, value_note, value_find_past, false};
