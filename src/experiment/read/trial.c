#include "experiment/read/trial.h"

#include <string.h>

/* An option that no kind has. A part with it is checked as far as its options go, and then never made. */
#define STOPPER "?"

/* How long, and on how many instances, a part that needs rewards in [0, 1] is watched for others. */
enum { TRIAL_RUNS = 4, TRIAL_ROUNDS = 64 };

/* --------------------------------------------- what the library says ------------------------------------------- */

/* The length of a place, "learners[0].belief.sd", at the start of a message; 0 if there is none. */
static size_t place_length(const char *message) {
    size_t length = strspn(message, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.[]" STOPPER);
    return strncmp(message + length, ": ", 2) == 0 ? length : 0;
}

/* Past the first name of a place, "learners[0]", which leads to the part that is tried. */
static const char *skip_part(const char *place, const char *end) {
    while (place < end && *place != '.') place++;
    return place + (place < end);
}

static const node *entry_number(const node *list, size_t index) {
    if (list->type != NODE_LIST) return NULL;
    const node *n = list->first;
    while (n != NULL && index-- > 0) n = n->next;
    return n;
}

/* One step down: `name` or `name[3]`. A component's belief is a map of its own, which the library's places pass over.
 */
static const node *step_down(const node *from, const char *name, size_t length) {
    char key[128];
    size_t plain = 0, index = 0;
    while (plain < length && name[plain] != '[') plain++;
    if (plain >= sizeof key) return NULL;
    memcpy(key, name, plain);
    key[plain] = '\0';
    const node *n = node_find(from, key);
    if (n == NULL) n = node_find(node_find(from, "belief"), key);
    if (n == NULL || plain == length) return n;
    for (size_t i = plain + 1; i < length && name[i] != ']'; i++) index = 10 * index + (size_t)(name[i] - '0');
    return entry_number(n, index);
}

/* As far down from a part as a place leads. *whole: to its end. */
static const node *walk(const node *from, const char *place, const char *end, bool *whole) {
    *whole = true;
    while (place < end) {
        const char *stop = place;
        while (stop < end && *stop != '.') stop++;
        const node *n = step_down(from, place, (size_t)(stop - place));
        if (n == NULL) {
            *whole = false;
            return from;
        }
        from = n;
        place = stop + (stop < end);
    }
    return from;
}

/* A part as a whole is spoken of at its kind. */
static spot spot_of(const node *n, bool whole) {
    const node *part = node_find(n, "belief") != NULL && node_find(n, "kind") == NULL ? node_find(n, "belief") : n;
    const node *kind = node_find(part, "kind");
    return whole && kind != NULL ? kind->at : n->at;
}

static bool has_option(const posse_part *part, const char *name, size_t length) {
    for (int i = 0; i < POSSE_OPTIONS_MAX && part->options[i].key != NULL; i++)
        if (strlen(part->options[i].key) == length && strncmp(part->options[i].key, name, length) == 0) return true;
    return false;
}

/* Messages are "PLACE: what is wrong" or "PLACE: KEY: what is wrong", the latter where a part refuses to be made. */
static void hear(void *context, const char *message) {
    reading *r = context;
    size_t length = place_length(message);
    const char *end = message + length, *place = skip_part(message, end);
    const char *text = length > 0 ? end + 2 : message;
    if (length >= strlen(STOPPER) && strncmp(end - strlen(STOPPER), STOPPER, strlen(STOPPER)) == 0) return;
    r->heard = true;
    bool whole, further = false;
    const node *n = walk(r->listening, place, end, &whole);
    /* In the file but not among the options: it was left out because it is wrong, which has been said. */
    if (r->listening_part != NULL && whole && place < end &&
        !has_option(r->listening_part, place, (size_t)(end - place)))
        return;
    size_t key = place_length(text);
    if (whole && key > 0) {
        const node *deeper = walk(n, text, text + key, &further);
        if (further) n = deeper;
    }
    spot at = spot_of(n, whole && !further);
    /* One about a value is enough: beside both of prior.mean and prior.sd, `means` would be refused twice. */
    if (whole && n->type != NODE_MAP && problem_known(&r->found, at)) return;
    const char *colon = end == place ? "" : further ? "." : ": ";
    problem_at(&r->found, at, "%.*s%s%s", (int)(end - place), place, colon, text);
}

void trial_listen(reading *r, const posse_allocator *lent) {
    if (lent != NULL) r->host.allocator = *lent;
    r->host.log = (posse_logger){hear, r};
}

static void listen_for(reading *r, const node *map, const posse_part *part) {
    r->listening = map;
    r->listening_part = part;
    r->heard = false;
}

/* An error that the library had no words for, which is mostly memory. */
static void explain(reading *r, const node *map, posse_error error) {
    if (error == POSSE_OK || r->heard) return;
    problem_at(&r->found, spot_of(map, true), "it cannot be made: %s", posse_error_text(error));
}

/* ------------------------------------------------- options alone ----------------------------------------------- */

/* Adds the stopper. There is room unless a kind has more keys than any of the library's. */
static bool stopped(const posse_part *part, posse_part *out) {
    int count = 0;
    while (count < POSSE_OPTIONS_MAX && part->options[count].key != NULL) count++;
    *out = *part;
    out->name = NULL;
    if (count < POSSE_OPTIONS_MAX) out->options[count] = (posse_option){.key = STOPPER};
    return count < POSSE_OPTIONS_MAX;
}

bool trial_options(reading *r, const node *map, posse_family family, const posse_part *part) {
    posse_part trial, anyone = {.kind = posse_kind_name(POSSE_LEARNER, 0)};
    size_t before = r->found.count;
    if (!stopped(part, &trial)) return true;
    posse_def def = posse_default_def();
    def.arms = 1;
    def.learners = family == POSSE_LEARNER ? &trial : &anyone;
    def.learner_count = 1;
    def.host = r->host;
    if (family == POSSE_LEARNER) def.selector = (posse_part){0};
    if (family == POSSE_SELECTOR) def.selector = trial;
    if (family == POSSE_BELIEF) def.prior = trial;
    listen_for(r, map, part);
    posse *p = NULL;
    posse_environment *e = NULL;
    if (family == POSSE_ENVIRONMENT)
        posse_environment_create(&trial, 0, &r->host, &e);
    else
        posse_create(&def, &p);
    posse_free(p);
    posse_environment_free(e);
    return r->found.count == before;
}

/* ------------------------------------------------- living -------------------------------------------------------- */

bool trial_environment(reading *r, const node *map, const posse_part *part, uint64_t seed) {
    listen_for(r, map, NULL);
    posse_error error = posse_environment_create(part, seed, &r->host, &r->environment);
    explain(r, map, error);
    if (error != POSSE_OK) return false;
    r->def = posse_environment_def(r->environment);
    return true;
}

/* Whether it takes rewards only from 0 to 1; it is offered another. */
static bool is_choosy(posse *p) {
    posse_decision d;
    return posse_decide(p, &d) == POSSE_OK && posse_learn(p, d.id, 2.0) == POSSE_ERROR_REWARD;
}

static bool meets_wrong_reward(posse *p, posse_environment *e) {
    posse_trace none = {0};
    for (uint32_t run = 0; run < TRIAL_RUNS; run++) {
        posse_environment_begin(e, run);
        if (posse_restart(p, run) == POSSE_OK && posse_play(p, e, TRIAL_ROUNDS, &none) == POSSE_ERROR_REWARD)
            return true;
    }
    return false;
}

static bool try_posse(reading *r, const node *map, const posse_def *def) {
    posse *p;
    listen_for(r, map, NULL);
    posse_error error = posse_create(def, &p);
    explain(r, map, error);
    if (error != POSSE_OK) return false;
    bool wrong = is_choosy(p) && meets_wrong_reward(p, r->environment);
    if (wrong) {
        const node *belief = node_find(map, "belief");
        problem_at(&r->found, belief != NULL ? belief->at : spot_of(map, true),
                   "%s learns only from rewards between 0 and 1, and this environment pays others",
                   belief != NULL ? "this belief" : node_find(map, "kind")->text);
    }
    posse_free(p);
    return !wrong;
}

bool trial_learner(reading *r, const node *map, const posse_part *learner) {
    posse_def def = r->def;
    def.selector = (posse_part){0};
    def.learners = learner;
    def.learner_count = 1;
    return try_posse(r, map, &def);
}

bool trial_selector(reading *r, const node *map, const posse_part *selector, const posse_part *learners, int count) {
    posse_def def = r->def;
    def.selector = *selector;
    def.learners = learners;
    def.learner_count = count;
    return try_posse(r, map, &def);
}
