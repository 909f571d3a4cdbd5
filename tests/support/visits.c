/* SPDX-License-Identifier: MIT */
#include "visits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------ the twin -------------------------------------------------- */

uint32_t twin_hash(const char *text) {
    uint32_t sum = 0xffffffff;
    for (; *text != '\0'; text++) {
        sum ^= (unsigned char)*text;
        for (int bit = 0; bit < 8; bit++) sum = sum & 1 ? sum >> 1 ^ 0xedb88320 : sum >> 1;
    }
    sum = ~sum;
    sum = (sum ^ sum >> 16) * 0x85ebca6bu;
    sum = (sum ^ sum >> 13) * 0xc2b2ae35u;
    return sum ^ sum >> 16;
}

typedef struct keyed {
    char key[600];
    char space[100];
    double value;
} keyed;

static int twin_by_key(const void *a, const void *b) {
    return strcmp(((const keyed *)a)->key, ((const keyed *)b)->key);
}

static int twin_keys(const posse_feature_list *from, const char *space, keyed *out) {
    for (int i = 0; i < from->count; i++) {
        const posse_feature *x = &from->list[i];
        const char *dot = strchr(x->name, '.');
        int length = dot != NULL ? (int)(dot - x->name) : (int)strlen(space);
        snprintf(out[i].space, sizeof out[i].space, "%.*s", length, dot != NULL ? x->name : space);
        snprintf(out[i].key, sizeof out[i].key, "%s%s%s%s%s", dot != NULL ? "" : space, dot != NULL ? "" : ".", x->name,
                 x->word != NULL ? "=" : "", x->word != NULL ? x->word : "");
        out[i].value = x->word != NULL ? 1.0 : x->number;
    }
    qsort(out, (size_t)from->count, sizeof *out, twin_by_key);
    return from->count;
}

void twin_add(const char *key, double value, double *sums, int slots) {
    uint32_t hash = twin_hash(key);
    sums[(hash >> 1) % (uint32_t)slots] += hash & 1 ? value : -value;
}

static void twin_add_products(const char *pair, const keyed *a, int a_count, const keyed *b, int b_count, bool same,
                              double *sums, int slots) {
    char left[100], right[100], key[1300];
    sscanf(pair, "%99[^*]*%99s", left, right);
    bool itself = strcmp(left, right) == 0;
    for (int i = 0; i < a_count; i++)
        for (int j = same && itself ? i + 1 : 0; j < b_count; j++) {
            if (strcmp(a[i].space, left) != 0 || strcmp(b[j].space, right) != 0) continue;
            snprintf(key, sizeof key, "%s*%s", a[i].key, b[j].key);
            twin_add(key, a[i].value * b[j].value, sums, slots);
        }
}

static void twin_add_shared(const posse_feature_def *def, const keyed *shared, int count, double *sums, int slots) {
    for (int i = 0; i < count; i++) twin_add(shared[i].key, shared[i].value, sums, slots);
    for (int k = 0; k < def->interaction_count; k++)
        twin_add_products(def->interactions[k], shared, count, shared, count, true, sums, slots);
    if (!def->without_constant) twin_add("constant", 1.0, sums, slots);
}

/* The features of an arm in full, its own followed by the shared ones. */
void twin_numbers(const posse_def *def, const posse_named *named, int arm, double *out) {
    const posse_feature_def *map = def->features;
    static keyed own[LIST_MAX], shared[LIST_MAX];
    int own_count = named->points != NULL ? twin_keys(&named->points[arm], "arm", own) : 0;
    int shared_count = twin_keys(&named->shared, "context", shared);
    memset(out, 0, (size_t)(def->dim + def->context) * sizeof *out);
    if (def->dim > 0) {
        for (int i = 0; i < own_count; i++) twin_add(own[i].key, own[i].value, out, def->dim);
        for (int k = 0; k < map->interaction_count; k++) {
            const char *pair = map->interactions[k];
            char left[100], right[100];
            sscanf(pair, "%99[^*]*%99s", left, right);
            twin_add_products(pair, own, own_count, own, own_count, true, out, def->dim);
            twin_add_products(pair, own, own_count, shared, shared_count, false, out, def->dim);
            if (strcmp(left, right) != 0)
                twin_add_products(pair, shared, shared_count, own, own_count, false, out, def->dim);
        }
        if (def->context == 0) twin_add_shared(map, shared, shared_count, out, def->dim);
    }
    if (def->context > 0) twin_add_shared(map, shared, shared_count, out + def->dim, def->context);
}

/* ------------------------------------------------------ rounds ---------------------------------------------------- */

static uint32_t visit_random(uint32_t *chance, uint32_t most) {
    *chance = *chance * 1664525u + 1013904223u;
    return (*chance >> 8) % most;
}

double visit_number(uint32_t *chance) {
    return (double)visit_random(chance, 2001) / 1000.0 - 1.0;
}

static void visit_shuffle(posse_feature *list, int count, uint32_t *chance) {
    for (int i = count - 1; i > 0; i--) {
        int j = (int)visit_random(chance, (uint32_t)i + 1);
        posse_feature held = list[i];
        list[i] = list[j];
        list[j] = held;
    }
}

static const char *const countries[] = {"de", "fr", "it", "\xe6\x97\xa5\xe6\x9c\xac", "", "a=b", "x*y"};
static const char *const topics[] = {"sport", "science", "politics"};

void visit_make(visit *v, uint32_t *chance, bool own) {
    int count = 0;
    *v = (visit){0};
    v->shared[count++] = (posse_feature){.name = "age", .number = visit_number(chance)};
    v->shared[count++] = (posse_feature){.name = "new", .number = visit_random(chance, 2), .truth = true};
    v->shared[count++] =
        (posse_feature){.name = "user.country", .word = countries[visit_random(chance, LENGTH(countries))]};
    for (int w = 0; w < 3; w++) { /* a list of words, in which a word may come again */
        snprintf(v->words[w], sizeof v->words[w], "w%u", visit_random(chance, 4));
        v->shared[count++] = (posse_feature){.name = "user.likes", .word = v->words[w]};
    }
    visit_shuffle(v->shared, count, chance);
    v->named.shared = (posse_feature_list){count, v->shared};
    for (int a = 0; own && a < ROUND_ARMS; a++) {
        posse_feature *list = v->own[a];
        list[0] = (posse_feature){.name = "price", .number = visit_number(chance)};
        list[1] = (posse_feature){.name = "item.topic", .word = topics[visit_random(chance, LENGTH(topics))]};
        list[2] = (posse_feature){.name = "item.fresh", .number = visit_number(chance)};
        list[3] = (posse_feature){.name = "user.near", .number = visit_number(chance)};
        visit_shuffle(list, 4, chance);
        v->points[a] = (posse_feature_list){a == 1 ? 0 : 4, list};
    }
    if (own) v->named.points = v->points;
    for (int a = 0; a < ROUND_ARMS; a++) v->arms[a] = a + a / 2; /* 0, 1, 3, 4 of six */
    v->context = (posse_context){.count = ROUND_ARMS, .arms = v->arms, .named = &v->named};
}
