/* SPDX-License-Identifier: MIT */
#include "cli/export_arms.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/engine.h"

typedef struct snapshot_search {
    const char *name;
    posse *found;
} snapshot_search;

static bool take_snapshot(void *context, const kept_posse *kept) {
    snapshot_search *search = context;
    if (strcmp(kept->name, search->name) == 0)
        posse_load_exact(kept->snapshot, kept->snapshot_length, NULL, &search->found);
    return true;
}

/* The snapshot of a large posse may be older than its latest arms. */
static void take_newcomer(void *context, const store_row *row) {
    posse *p = context;
    if (strcmp(row->kind, "add arm") == 0 && row->arm == posse_arm_count(p)) hosted_add_arm(p, row->body);
}

static void export_take_arm(void *context, const store_row *row) {
    export_arms *a = context;
    a->changed = true;
    if (row->arm < 0 || row->arm >= a->count) return;
    bool added = strcmp(row->kind, "add arm") == 0;
    (added ? a->after : a->last)[row->arm] = (uint32_t)row->decides;
}

/* An arm that is retired without a record was retired before the log begins. */
static void begin_times(export_arms *a) {
    for (int arm = 0; arm < a->count; arm++) {
        a->after[arm] = 0;
        a->last[arm] = posse_arm_active(a->posse, arm) ? UINT32_MAX : 0;
    }
}

bool export_arms_read(store *s, const char *name, export_arms *out) {
    snapshot_search search = {.name = name};
    *out = (export_arms){0};
    if (!store_each_posse(s, take_snapshot, &search)) return false;
    out->posse = search.found;
    if (!store_each_arm(s, name, take_newcomer, out->posse)) return false;
    out->count = posse_arm_count(out->posse);
    out->named = posse_arm_name(out->posse, 0) != NULL;
    out->after = calloc((size_t)out->count + 1, sizeof *out->after);
    out->last = calloc((size_t)out->count + 1, sizeof *out->last);
    if (out->after == NULL || out->last == NULL) return false;
    begin_times(out);
    return store_each_arm(s, name, export_take_arm, out);
}

void export_arms_free(export_arms *a) {
    posse_free(a->posse);
    free(a->after);
    free(a->last);
    *a = (export_arms){0};
}

bool export_arm_available(const export_arms *a, int arm, uint64_t decision) {
    uint32_t number = (uint32_t)decision;
    return number > a->after[arm] && number <= a->last[arm];
}

const char *export_arm_label(const export_arms *a, int arm, char number[16]) {
    const char *name = posse_arm_name(a->posse, arm);
    snprintf(number, 16, "%d", arm);
    return name != NULL ? name : number;
}
