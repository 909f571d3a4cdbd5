/* Articles have names, join and leave, and are clicked late. By when does one know which is best? */
#include <posse.h>
#include <posse_inside.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 6000, LATE = 5, EVERY = 600 };
static const char *const articles[] = {"lead",   "sport",   "weather", "markets", "opinion", "culture",
                                       "travel", "science", "puzzle",  "recipe",  "chess",   "letters"};
static const double click_rates[] = {0.10, 0.15, 0.05, 0.12, 0.08, 0.06, 0.10, 0.11, 0.60, 0.07, 0.09, 0.04};

/* A visitor sees an article: 1 for a click. The arms of the posse are the articles in their order. */
static int show(int arm) {
    static unsigned chance = 1;
    chance = chance * 1664525u + 1013904223u;
    return chance / 4294967296.0 < click_rates[arm];
}

/* As if the process had ended: only the saved bytes are left. Pending decisions are among them. */
static posse *restart(posse *p) {
    size_t length = 0;
    posse_save(p, NULL, &length);
    void *bytes = malloc(length);
    posse *again = NULL;
    if (bytes != NULL && posse_save(p, bytes, &length) == POSSE_OK) posse_load_exact(bytes, length, NULL, &again);
    free(bytes);
    posse_free(p);
    return again;
}

int main(void) {
    posse_part learners[] = {{.kind = "ucb", .name = "cautious"},
                             {.kind = "ucb", .name = "bold", .options = {{"width", 0.1}}},
                             {.kind = "thompson", .name = "sampler"}};
    posse_def def = posse_default_def();
    def.arms = 4;
    def.names = articles; /* the first four */
    def.joins = 4;        /* an article that is named for the first time joins, as long as fewer than 4 are active */
    def.prior = (posse_part){.kind = "beta"};
    def.selector.kind = "bms-plus";
    def.selector.options[0] = (posse_option){.key = "floor", .number = 0.3};
    def.learners = learners;
    def.learner_count = 3;
    def.report = true;
    posse *p;
    if (posse_create(&def, &p) != POSSE_OK) return 1;

    unsigned digest = 0;
    uint64_t waiting[LATE] = {0};
    int clicks[LATE] = {0};
    for (int round = 0; round < ROUNDS; round++) {
        if (round > 0 && round % EVERY == 0 && round / EVERY <= 8) { /* the oldest article goes, and a new one comes */
            int arm;
            posse_arm_retire(p, posse_arm_find(p, articles[round / EVERY - 1]));
            if (posse_arm_join(p, articles[round / EVERY + 3], &arm) != POSSE_OK) return 1;
            posse_teach(p, &(posse_action){.arm = arm}, 0.0);
        }
        if (round == ROUNDS / 2 && (p = restart(p)) == NULL) return 1;
        posse_decision d;
        posse_decide(p, NULL, &d);
        digest = 31 * digest + (unsigned)(10 * d.arm + d.learner);
        int slot = round % LATE;
        if (waiting[slot] != 0) posse_learn(p, waiting[slot], clicks[slot]);
        waiting[slot] = d.id;
        clicks[slot] = show(d.arm);
    }

    posse_finding arms[12];
    posse_report report = {.control = posse_arm_find(p, "recipe"), .draws = 1000, .arms = arms};
    if (posse_report_make(p, &report) != POSSE_OK) return 1;
    printf("decisions: %08x\n%s\n", digest, report.reason);
    for (int a = 0; a < posse_arm_count(p); a++)
        if (posse_arm_active(p, a))
            printf("%-7s %4d rewards, mean %.3f, at all times %.3f to %.3f\n", posse_arm_name(p, a),
                   (int)arms[a].rewards, arms[a].mean, arms[a].low, arms[a].high);
    posse_free(p);
    return report.verdict == POSSE_DECIDED ? 0 : 1;
}
