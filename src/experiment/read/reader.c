/*
 * The experiment as a whole: the keys of a file, its competitors and its claims. Reading goes on after a problem as
 * long as what follows can be judged without it.
 */
#include "experiment/read/reader.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/suggestion.h"
#include "experiment/base/file.h"
#include "experiment/read/convert.h"
#include "experiment/read/scalar.h"
#include "experiment/read/trial.h"

#define ROUNDS_MAX 1000000000u
#define RUNS_MAX 100000000u
#define NAME_MAX_BYTES 100
#define ENTRANTS_MAX 10000 /* learners, or selectors: results number them in 16 bits */

static const char *const keys[] = {"name",        "title",    "rounds",    "runs", "seed",
                                   "environment", "learners", "selectors", "solo", "claims"};

/* A learner or selector: what it became, and whether it can be used. */
typedef struct entrant {
    const node *map;
    posse_part part;
    selector_team team; /* of a selector */
    bool team_whole;    /* all that it names are in the team */
    bool fine;
} entrant;

typedef struct entrants {
    entrant *list;
    int count;
} entrants;

/* ------------------------------------------------ simple keys -------------------------------------------------- */

static void check_keys(problems *found, const node *root) {
    for (const node *n = root->first; n != NULL; n = n->next) {
        suggestion near = {.word = n->key};
        bool known = false;
        for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
            known = known || strcmp(n->key, keys[i]) == 0;
            suggestion_consider(&near, keys[i]);
        }
        if (!known)
            problem_at(found, n->key_at, "an experiment has no key \"%.80s\"%s", n->key, suggestion_text(&near));
    }
}

/* The node of a key that must be there. */
static const node *require(problems *found, const node *root, const char *key, const char *wanted) {
    const node *n = node_find(root, key);
    if (n == NULL) problem_at(found, root->at, "%s: is missing; it must be %s", key, wanted);
    return n;
}

static void read_whole(problems *found, const node *root, const char *key, uint64_t low, uint64_t high, uint64_t *out) {
    const node *n = require(found, root, key, "a whole number");
    if (n != NULL) take_whole(found, n, low, high, out);
}

/* It names a folder. */
static void read_name(reading *r, const node *root, experiment *e) {
    const char *name;
    const node *n = require(&r->found, root, "name", "made of a-z, 0-9 and -");
    if (n == NULL || !take_text(&r->found, n, &name)) return;
    if (*name == '\0' || name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-")] != '\0')
        problem_at(&r->found, n->at, "\"%.80s\" cannot be the name: it must be made of a-z, 0-9 and -", name);
    else if (strlen(name) > NAME_MAX_BYTES)
        problem_at(&r->found, n->at, "the name is too long; at most %d characters", NAME_MAX_BYTES);
    e->name = pool_copy(r->memory, name, strlen(name));
}

static void read_simple_keys(reading *r, const node *root, experiment *e) {
    uint64_t runs = 1;
    const node *title = node_find(root, "title"), *solo = node_find(root, "solo");
    read_name(r, root, e);
    e->title = e->name;
    const char *text;
    if (title != NULL && take_text(&r->found, title, &text)) e->title = pool_copy(r->memory, text, strlen(text));
    e->rounds = 1;
    read_whole(&r->found, root, "rounds", 1, ROUNDS_MAX, &e->rounds);
    read_whole(&r->found, root, "runs", 1, RUNS_MAX, &runs);
    read_whole(&r->found, root, "seed", 0, UINT64_MAX, &e->seed);
    e->runs = (uint32_t)runs;
    e->solo = true;
    if (solo != NULL) take_flag(&r->found, solo, &e->solo);
}

static void apply_changes(problems *found, const experiment_changes *changes, experiment *e) {
    spot file = {0, 0};
    if (changes == NULL) return;
    if (changes->rounds > ROUNDS_MAX) problem_at(found, file, "--rounds: at most %u", ROUNDS_MAX);
    if (changes->runs > RUNS_MAX) problem_at(found, file, "--runs: at most %u", RUNS_MAX);
    if (!(changes->runs_scale >= 0.0) || e->runs * changes->runs_scale > RUNS_MAX)
        problem_at(found, file, "--runs-scale: it must be above 0 and make at most %u runs", RUNS_MAX);
    if (changes->rounds > 0) e->rounds = changes->rounds;
    if (changes->seed_given) e->seed = changes->seed;
    if (changes->runs > 0)
        e->runs = changes->runs;
    else if (changes->runs_scale > 0.0) {
        double runs = floor(e->runs * changes->runs_scale + 0.5);
        e->runs = runs < 2.0 ? 2 : runs > RUNS_MAX ? RUNS_MAX : (uint32_t)runs;
    }
}

/* ------------------------------------------------ competitors -------------------------------------------------- */

/* The first of that name among those before `before`, or NULL. */
static const entrant *find_entrant(const entrants *all, const char *name, const entrant *before) {
    for (int i = 0; i < all->count && &all->list[i] != before; i++)
        if (all->list[i].part.name != NULL && strcmp(all->list[i].part.name, name) == 0) return &all->list[i];
    return NULL;
}

/* Names go into tables, pictures and claims: one line each, and one competitor each. */
static void read_entrant_name(reading *r, const node *map, const char **out) {
    const node *n = node_find(map, "name");
    const char *name;
    if (n == NULL) problem_at(&r->found, map->at, "name: is missing; it must be a text");
    if (n == NULL || !take_text(&r->found, n, &name)) return;
    bool control = false;
    for (const char *c = name; *c != '\0'; c++) control = control || (unsigned char)*c < 0x20 || *c == 0x7f;
    if (*name == '\0')
        problem_at(&r->found, n->at, "the name is empty");
    else if (control)
        problem_at(&r->found, n->at, "the name must not hold control characters");
    else if (strlen(name) > NAME_MAX_BYTES)
        problem_at(&r->found, n->at, "the name is too long; at most %d bytes", NAME_MAX_BYTES);
    else if (strcmp(name, "oracle") == 0)
        problem_at(&r->found, n->at, "the name \"oracle\" is taken: in each run it is the best learner");
    else
        *out = pool_copy(r->memory, name, strlen(name));
}

static void check_name_is_free(reading *r, const entrants *all, const entrant *one) {
    if (one->part.name == NULL) return;
    const entrant *earlier = find_entrant(all, one->part.name, one);
    if (earlier == NULL) return;
    problem_at(&r->found, node_find(one->map, "name")->at, "the name \"%s\" is taken in line %d; names must differ",
               one->part.name, node_find(earlier->map, "name")->at.line);
}

static void read_entrants(reading *r, const node *list, posse_family family, entrants *out) {
    if (list == NULL) return;
    if (list->type != NODE_LIST) {
        refuse_node(&r->found, list, family == POSSE_LEARNER ? "a list of learners" : "a list of selectors");
        return;
    }
    if (list->count > ENTRANTS_MAX) {
        problem_at(&r->found, list->at, "%zu are too many; at most %d", list->count, ENTRANTS_MAX);
        return;
    }
    out->list = pool_allocate(r->memory, (list->count + 1) * sizeof *out->list);
    for (const node *n = list->first; n != NULL; n = n->next) {
        entrant *one = &out->list[out->count++];
        one->map = n;
        one->fine = convert_part(r, n, family, &one->part);
        if (n->type == NODE_MAP) read_entrant_name(r, n, &one->part.name);
    }
}

/* ---------------------------------------------------- teams ------------------------------------------------------ */

/* What is needed to find learners by their names, for one selector after the other. */
typedef struct roll {
    const entrants *learners;
    const int *everyone; /* 0, 1, .. */
    int *called;         /* of each learner: the last selector that named it, counted from 1 */
} roll;

static roll make_roll(reading *r, const entrants *learners) {
    size_t count = (size_t)learners->count + 1;
    int *everyone = pool_allocate(r->memory, count * sizeof *everyone);
    for (int m = 0; m < learners->count; m++) everyone[m] = m;
    return (roll){learners, everyone, pool_allocate(r->memory, count * sizeof(int))};
}

/* The place of the learner that a node names, or -1; `caller` must not have named it before. */
static int find_learner(reading *r, const roll *all, const node *n, int caller) {
    const char *name;
    if (!take_text(&r->found, n, &name)) return -1;
    const entrant *found = find_entrant(all->learners, name, NULL);
    if (found == NULL) {
        suggestion near = {.word = name};
        for (int m = 0; m < all->learners->count; m++)
            if (all->learners->list[m].part.name != NULL) suggestion_consider(&near, all->learners->list[m].part.name);
        problem_at(&r->found, n->at, "there is no learner \"%.80s\"%s", name, suggestion_text(&near));
        return -1;
    }
    int place = (int)(found - all->learners->list);
    bool again = all->called[place] == caller;
    all->called[place] = caller;
    if (again) problem_at(&r->found, n->at, "the learner \"%s\" is named already; once is enough", name);
    return again ? -1 : place;
}

/* Without learners to name there is nothing to say about names. */
static void read_team(reading *r, const roll *all, entrant *selector, int caller) {
    const node *list = node_find(selector->map, "learners");
    selector->team = (selector_team){all->everyone, all->learners->count};
    selector->team_whole = list == NULL;
    if (list == NULL || all->learners->count == 0) return;
    if (list->type != NODE_LIST || list->count == 0) {
        if (list->type == NODE_LIST)
            problem_at(&r->found, list->at,
                       "a list without learners; a selector that plays all of them has no such key");
        else
            refuse_node(&r->found, list, "a list of names of learners");
        return;
    }
    int *team = pool_allocate(r->memory, list->count * sizeof *team), count = 0;
    for (const node *n = list->first; n != NULL; n = n->next) {
        int place = find_learner(r, all, n, caller);
        if (place >= 0) team[count++] = place;
    }
    selector->team = (selector_team){team, count};
    selector->team_whole = (size_t)count == list->count;
}

static void read_teams(reading *r, const entrants *learners, entrants *selectors) {
    roll all = make_roll(r, learners);
    for (int s = 0; s < selectors->count; s++)
        if (selectors->list[s].map->type == NODE_MAP) read_team(r, &all, &selectors->list[s], s + 1);
}

/* ---------------------------------------------------- trials ----------------------------------------------------- */

/* The parts that are in order, to be copied out. */
static posse_part *parts_of(reading *r, const entrants *all, int *count) {
    posse_part *parts = pool_allocate(r->memory, ((size_t)all->count + 1) * sizeof *parts);
    *count = 0;
    for (int i = 0; i < all->count; i++)
        if (all->list[i].fine) parts[(*count)++] = all->list[i].part;
    return parts;
}

static void finish_entrant(reading *r, entrant *one, posse_family family) {
    one->fine = one->fine && convert_check_rows(r, one->map, family);
    if (one->fine) convert_fill(r, family, &one->part);
}

/*
 * A selector is tried with those of its team that are in order. Names may be missing or double, which is no matter
 * here: learners that are tried together get others.
 * Where some are missing, a list with a number for each learner cannot be judged.
 */
static void try_entrants(reading *r, entrants *learners, entrants *selectors) {
    size_t most = (size_t)learners->count + 1;
    const char **names = pool_allocate(r->memory, most * sizeof *names);
    posse_part *team = pool_allocate(r->memory, most * sizeof *team);
    for (int i = 0; i < learners->count; i++) {
        entrant *one = &learners->list[i];
        char name[16];
        names[i] = pool_copy(r->memory, name, (size_t)snprintf(name, sizeof name, "%d", i));
        finish_entrant(r, one, POSSE_LEARNER);
        one->fine = one->fine && trial_learner(r, one->map, &one->part);
    }
    for (int i = 0; i < selectors->count; i++) {
        entrant *one = &selectors->list[i];
        int count = 0;
        for (int k = 0; k < one->team.count; k++) {
            const entrant *learner = &learners->list[one->team.learners[k]];
            if (!learner->fine) continue;
            team[count] = learner->part;
            team[count].name = names[count];
            count++;
        }
        finish_entrant(r, one, POSSE_SELECTOR);
        if (!one->fine || count == 0) continue;
        bool whole = one->team_whole && count == one->team.count;
        posse_part tried = whole ? one->part : convert_without_lists(&one->part);
        one->fine = trial_selector(r, one->map, &tried, team, count);
    }
}

/* Of a file without problems: the selectors then are those of the list. */
static void copy_teams(reading *r, const entrants *selectors, experiment *e) {
    e->teams = pool_allocate(r->memory, ((size_t)selectors->count + 1) * sizeof *e->teams);
    for (int s = 0; s < selectors->count; s++) e->teams[s] = selectors->list[s].team;
}

static void check_entrants(reading *r, const node *root, const experiment *e, const entrants *learners,
                           const entrants *selectors) {
    entrants both = {pool_allocate(r->memory, ((size_t)(learners->count + selectors->count) + 1) * sizeof(entrant)), 0};
    for (int i = 0; i < learners->count; i++) both.list[both.count++] = learners->list[i];
    for (int i = 0; i < selectors->count; i++) both.list[both.count++] = selectors->list[i];
    for (int i = 0; i < both.count; i++) check_name_is_free(r, &both, &both.list[i]);
    const node *list = node_find(root, "learners");
    if (list != NULL && list->type == NODE_LIST && list->count == 0)
        problem_at(&r->found, list->at, "there must be at least one learner");
    const node *solo = node_find(root, "solo");
    if (selectors->count == 0 && !e->solo && node_find(root, "selectors") == NULL)
        problem_at(&r->found, solo->at, "without selectors and without learners alone there is nothing to run");
}

/* -------------------------------------------------- claims ----------------------------------------------------- */

static size_t characters(const char *text, size_t bytes) {
    size_t count = 0;
    for (size_t i = 0; i < bytes && text[i] != '\0'; i++) count += ((unsigned char)text[i] & 0xc0) != 0x80;
    return count;
}

/* Where a byte of a claim's text is in the file, or, where the text was folded or escaped, where the text begins. */
static spot claim_spot(const node *holds, size_t column) {
    if (holds->text_at.line == 0) return holds->at;
    return (spot){holds->text_at.line, holds->text_at.column + (int)characters(holds->text, column)};
}

typedef struct field {
    const entrants *learners, *selectors;
    const experiment *e;
} field;

static void refuse_competitor(reading *r, const field *f, spot at, const char *name) {
    suggestion near = {.word = name};
    if (find_entrant(f->learners, name, NULL) != NULL || strcmp(name, "oracle") == 0) {
        problem_at(&r->found, at, "\"%s\" is not run alone; that takes solo: true", name);
        return;
    }
    for (int i = 0; i < f->selectors->count; i++)
        if (f->selectors->list[i].part.name != NULL) suggestion_consider(&near, f->selectors->list[i].part.name);
    for (int i = 0; i < f->learners->count && f->e->solo; i++)
        if (f->learners->list[i].part.name != NULL) suggestion_consider(&near, f->learners->list[i].part.name);
    if (f->e->solo) suggestion_consider(&near, "oracle");
    problem_at(&r->found, at, "there is no competitor \"%.80s\"%s", name, suggestion_text(&near));
}

static void check_term(reading *r, const field *f, const node *holds, const claim_term *term) {
    spot at = claim_spot(holds, term->column);
    if (term->quantity == CLAIM_BEST_LEARNER) {
        if (!f->e->solo) problem_at(&r->found, at, "best_learner() is about learners alone; that takes solo: true");
        return;
    }
    bool among = find_entrant(f->selectors, term->name, NULL) != NULL;
    bool alone = find_entrant(f->learners, term->name, NULL) != NULL || strcmp(term->name, "oracle") == 0;
    if (!among && !(alone && f->e->solo)) refuse_competitor(r, f, at, term->name);
    if (term->round > f->e->rounds)
        problem_at(&r->found, at, "there is no round %llu; they count from 1 to %llu", (unsigned long long)term->round,
                   (unsigned long long)f->e->rounds);
    if (term->quantity == CLAIM_OPTIMAL && r->environment != NULL && r->def.arms == 0)
        problem_at(&r->found, at, "the continuous ball has no optimal rate");
}

static void read_claim(reading *r, const field *f, const node *map, claim *c) {
    if (map->type != NODE_MAP) {
        refuse_node(&r->found, map, "a claim, {says: .., holds: ..},");
        return;
    }
    for (const node *n = map->first; n != NULL; n = n->next) {
        suggestion near = {.word = n->key};
        if (strcmp(n->key, "says") == 0 || strcmp(n->key, "holds") == 0) continue;
        suggestion_consider(&near, "says");
        suggestion_consider(&near, "holds");
        bool comma = n->type == NODE_SCALAR && n->plain && *n->text == '\0' && near.best == NULL;
        problem_at(&r->found, n->key_at, "a claim has no key \"%.80s\"%s", n->key,
                   comma ? "; in braces a text with a comma needs quotes" : suggestion_text(&near));
    }
    const node *says = require(&r->found, map, "says", "a sentence"),
               *holds = require(&r->found, map, "holds", "a comparison");
    if (says != NULL) take_text(&r->found, says, &c->says);
    if (holds == NULL || !take_text(&r->found, holds, &c->holds)) return;
    size_t column;
    const char *message;
    if (!claim_parse(c, pool_allocate, r->memory, &column, &message)) {
        problem_at(&r->found, claim_spot(holds, column), "%s", message);
        return;
    }
    for (size_t k = 0; k < c->term_count; k++) check_term(r, f, holds, &c->terms[k]);
}

static void read_claims(reading *r, const node *root, const field *f, experiment *e) {
    const node *list = node_find(root, "claims");
    if (list == NULL) return;
    if (list->type != NODE_LIST) {
        refuse_node(&r->found, list, "a list of claims");
        return;
    }
    e->claims = pool_allocate(r->memory, (list->count + 1) * sizeof *e->claims);
    for (const node *n = list->first; n != NULL; n = n->next) read_claim(r, f, n, &e->claims[e->claim_count++]);
}

/* -------------------------------------------------- the file --------------------------------------------------- */

static void read_environment(reading *r, const node *root, experiment *e) {
    const node *map = require(&r->found, root, "environment", "an environment");
    if (map == NULL || !convert_part(r, map, POSSE_ENVIRONMENT, &e->environment)) return;
    if (!trial_environment(r, map, &e->environment, e->seed)) return;
    r->def.rounds = e->rounds;
    if (convert_check_rows(r, map, POSSE_ENVIRONMENT))
        convert_fill(r, POSSE_ENVIRONMENT, &e->environment);
    else {
        posse_environment_free(r->environment);
        r->environment = NULL;
    }
}

static void read_root(reading *r, const node *root, const experiment_changes *changes, experiment *e) {
    if (root->type != NODE_MAP) {
        refuse_node(&r->found, root, "an experiment, {name: .., rounds: .., ..},");
        return;
    }
    entrants learners = {0}, selectors = {0};
    check_keys(&r->found, root);
    read_simple_keys(r, root, e);
    apply_changes(&r->found, changes, e);
    read_environment(r, root, e);
    read_entrants(r, require(&r->found, root, "learners", "a list of learners"), POSSE_LEARNER, &learners);
    read_entrants(r, node_find(root, "selectors"), POSSE_SELECTOR, &selectors);
    check_entrants(r, root, e, &learners, &selectors);
    read_teams(r, &learners, &selectors);
    if (r->environment != NULL) try_entrants(r, &learners, &selectors);
    read_claims(r, root, &(field){&learners, &selectors, e}, e);
    e->learners = parts_of(r, &learners, &e->learner_count);
    e->selectors = parts_of(r, &selectors, &e->selector_count);
    copy_teams(r, &selectors, e);
}

experiment *experiment_read_text(const char *path, const char *text, size_t length, const experiment_changes *changes,
                                 const posse_allocator *lent, FILE *out) {
    pool *memory = pool_create();
    reading *r = pool_allocate(memory, sizeof *r);
    experiment *e = pool_allocate(memory, sizeof *e);
    r->memory = r->found.memory = e->memory = memory;
    e->path = pool_copy(memory, path, strlen(path));
    trial_listen(r, lent);
    const node *root = document_read(text, length, memory, &r->found);
    if (root != NULL) {
        e->source = pool_copy(memory, text, length);
        read_root(r, root, changes, e);
    }
    posse_environment_free(r->environment);
    if (r->found.count == 0) return e;
    problems_print(&r->found, path, out);
    experiment_free(e);
    return NULL;
}

experiment *experiment_read(const char *path, const experiment_changes *changes, FILE *out) {
    size_t length;
    char *text = file_read(path, (size_t)DOCUMENT_BYTES_MAX + 1, &length); /* one more: a longer one is noticed */
    if (text == NULL) {
        fprintf(out, "%s: cannot be read: %s\n", path, strerror(errno));
        return NULL;
    }
    experiment *e = experiment_read_text(path, text, length, changes, NULL, out);
    free(text);
    return e;
}

void experiment_free(experiment *e) {
    if (e != NULL) pool_free(e->memory);
}
