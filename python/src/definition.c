#include "definition.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiment/read/convert.h"
#include "experiment/read/reader.h"
#include "experiment/read/scalar.h"
#include "experiment/read/trial.h"

static void read_part(reading *r, const node *map, posse_family family, posse_part *out) {
    if (map == NULL || !convert_part(r, map, family, out)) return;
    convert_check_rows(r, map, family);
    const node *name = node_find(map, "name");
    if (name != NULL && family == POSSE_LEARNER) take_text(&r->found, name, &out->name);
    const node *team = node_find(map, "learners");
    if (team != NULL && family == POSSE_SELECTOR)
        problem_at(&r->found, team->key_at, "the selector of a posse plays all of its learners");
}

static void read_learners(reading *r, const node *list, definition *d) {
    if (list == NULL || list->type != NODE_LIST) return; /* without any: the library says so */
    d->learners = pool_allocate(r->memory, (list->count + 1) * sizeof *d->learners);
    for (const node *n = list->first; n != NULL; n = n->next)
        read_part(r, n, POSSE_LEARNER, &d->learners[d->learner_count++]);
}

static bool print_problems(reading *r, definition *d) {
    size_t size;
    FILE *out = open_memstream(&d->problems, &size);
    if (out == NULL) return false;
    problems_print(&r->found, "", out);
    fclose(out);
    return false;
}

bool definition_read(definition *d, const char *text, size_t length, const posse_def *arms) {
    pool *memory = pool_create();
    *d = (definition){.memory = memory};
    reading *r = pool_allocate(memory, sizeof *r);
    r->memory = r->found.memory = memory;
    r->def = *arms;
    trial_listen(r, NULL);
    const node *root = document_read(text, length, memory, &r->found);
    if (root != NULL) {
        read_part(r, node_find(root, "prior"), POSSE_BELIEF, &d->prior);
        read_part(r, node_find(root, "selector"), POSSE_SELECTOR, &d->selector);
        read_learners(r, node_find(root, "learners"), d);
    }
    return r->found.count == 0 || print_problems(r, d);
}

void definition_close(definition *d) {
    free(d->problems);
    pool_free(d->memory);
    *d = (definition){0};
}
