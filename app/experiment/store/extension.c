/* SPDX-License-Identifier: MIT */
#include "experiment/store/extension.h"

#include <stdlib.h>
#include <string.h>

#include "experiment/record/curves.h"

struct extension {
    const agenda *agenda;
    experiment shorter_experiment;
    agenda *shorter; /* the agenda of the finished experiment */
    journal *journal;
    uint32_t blocks; /* of the longer experiment */

    curves unpacked, packed; /* of the finished experiment's blocks, of the longer one's */
    sheet sheet;
    block read; /* a block of the finished experiment */

    block *made; /* the block that is being filled */
    uint32_t next;
    bool (*take)(void *context, const block *b);
    void *context;
};

/* The number of runs whose curves were kept. Without its curves, the sheet of a run cannot be restored. */
static uint32_t whole_runs(const extension *x) {
    uint32_t kept = agenda_runs_before(x->shorter, journal_kept(x->journal));
    return kept < x->shorter->curve_runs ? kept : x->shorter->curve_runs;
}

extension *extension_open(const char *folder, const agenda *a, const char *key, uint32_t runs) {
    extension *x = calloc(1, sizeof *x);
    if (x == NULL) return NULL;
    x->agenda = a;
    x->shorter_experiment = *a->experiment;
    x->shorter_experiment.runs = runs;
    x->shorter = agenda_make(&x->shorter_experiment);
    x->journal = x->shorter != NULL ? journal_open(folder, x->shorter, key, false) : NULL;
    if (x->journal != NULL) x->blocks = whole_runs(x) / a->block_runs;
    bool ok = x->blocks > 0 && sheet_open(&x->sheet, a) && block_open(&x->read, x->shorter, &x->sheet) &&
              curves_open(&x->unpacked, x->shorter) && curves_open(&x->packed, a);
    if (ok) return x;
    extension_close(x);
    return NULL;
}

void extension_close(extension *x) {
    if (x == NULL) return;
    journal_close(x->journal, true);
    if (x->unpacked.memory != NULL) curves_close(&x->unpacked);
    if (x->packed.memory != NULL) curves_close(&x->packed);
    block_close(&x->read);
    sheet_close(&x->sheet);
    agenda_free(x->shorter);
    free(x);
}

uint32_t extension_blocks(const extension *x) {
    return x->blocks;
}

/* Adds the sheet to the block that is being filled, and hands a full block over. */
static bool add_run(extension *x) {
    const agenda *a = x->agenda;
    block *b = x->made;
    if (b->count == 0) block_begin(b, a, x->next);
    block_add(b, a, &x->sheet);
    if (b->curves) curves_add(&x->packed, &x->sheet);
    if (b->count < agenda_block_count(a, x->next)) return true;
    if (b->curves) curves_pack(&x->packed, b);
    x->next++;
    bool taken = x->take(x->context, b);
    b->count = 0;
    return taken;
}

static bool take_shorter(void *context, const block *b) {
    extension *x = context;
    size_t head = x->sheet.head_count;
    if (x->next == x->blocks) return true; /* the remaining runs do not fill a block */
    if (!b->curves || !curves_unpack(&x->unpacked, b)) return false;
    for (uint32_t i = 0; i < b->count && x->next < x->blocks; i++) {
        memcpy(x->sheet.numbers, b->heads + i * head, head * sizeof *b->heads);
        curves_copy(&x->unpacked, i, &x->sheet);
        sheet_complete(&x->sheet, x->agenda);
        if (!add_run(x)) return false;
    }
    return true;
}

bool extension_replay(extension *x, block *scratch, bool (*take)(void *context, const block *b), void *context) {
    x->made = scratch;
    x->made->count = 0;
    x->take = take;
    x->context = context;
    return journal_replay(x->journal, NULL, &x->read, take_shorter, x) && x->next == x->blocks;
}
