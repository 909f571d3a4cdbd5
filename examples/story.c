/* Three rules, twelve articles that join and leave, late clicks and a restart: which rule is the best? */
#include <posse.h>
#include <posse_features.h>
#include <posse_inside.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 480, ARTICLES = 12, SHOWN = 4, EVERY = 40, BATCH = 10, RESTART = 205 };
enum { NEWEST, OLDEST, PERSONAL, RULES };
static const char *const articles[ARTICLES] = {"derby", "soup",  "budget", "chess", "bread", "storm",
                                               "rally", "tarte", "vote",   "final", "curry", "comet"};
static const char *const topics[] = {"sport", "food", "news"}; /* of article k: k % 3 */
static const char *const countries[] = {"de", "fr", "us"};

/* ---------------------------------------------------- visitors ---------------------------------------------------- */

static unsigned draw(unsigned below) {
    static unsigned chance = 1;
    chance = chance * 1664525u + 1013904223u;
    return (chance >> 16) % below;
}

typedef struct visitor {
    int country, age, luck;
} visitor;

static visitor visitor_next(void) {
    visitor v;
    v.country = (int)draw(3);
    v.age = 18 + (int)draw(60);
    v.luck = (int)draw(100);
    return v;
}

/* Each country has its topic, and visitors above 60 like the news. */
static int visitor_clicks(const visitor *v, int article) {
    int wanted = v->age > 60 ? 2 : v->country;
    return v->luck < (article % 3 == wanted ? 95 : 2);
}

/* ------------------------------------------------- the two posses ------------------------------------------------- */

/* Chooses a rule. There are no arms: only rules and their clicks. */
static posse *make_rules(void) {
    posse_part rules[] = {{.kind = "external", .name = "newest"},
                          {.kind = "external", .name = "oldest"},
                          {.kind = "external", .name = "personal"}};
    posse_def def = posse_default_def();
    def.selector = (posse_part){.kind = "thompson", .options = {{"model", .word = "beta"}, {"discount", 0.9}}};
    def.learners = rules;
    def.learner_count = RULES;
    def.expire_after = 20; /* a visitor who has not clicked by then will not */
    def.expire_learns = true;
    def.expire_reward = 0.0;
    def.report = true;
    posse *p;
    return posse_create(&def, &p) == POSSE_OK ? p : NULL;
}

/* The rule "personal": chooses an article for a visitor. */
static posse *make_page(void) {
    posse_part learners[] = {{.kind = "logistic-thompson"}, {.kind = "logistic-ucb"}};
    posse_feature_scale age = {.name = "age", .mean = 40, .sd = 16};
    const char *crossed[] = {"context*arm"};
    posse_feature_def map = {.interactions = crossed, .interaction_count = 1, .scales = &age, .scale_count = 1};
    posse_def def = posse_default_def();
    def.arms = SHOWN;
    def.names = articles; /* the first four */
    def.dim = 64;         /* names are hashed to 64 numbers */
    def.features = &map;
    def.prior = (posse_part){.kind = "logistic"};
    def.learners = learners;
    def.learner_count = 2;
    def.expire_after = 20;
    def.expire_learns = true;
    def.expire_reward = 0.0;
    def.report = true;
    posse *p;
    return posse_create(&def, &p) == POSSE_OK ? p : NULL;
}

static posse_error personal(posse *page, const visitor *v, int first, posse_decision *d) {
    posse_feature who[] = {{.name = "country", .word = countries[v->country]}, {.name = "age", .number = v->age}};
    posse_feature topic[SHOWN];
    posse_feature_list offers[SHOWN];
    int shown[SHOWN];
    for (int k = 0; k < SHOWN; k++) {
        shown[k] = first + k;
        topic[k] = (posse_feature){.name = "topic", .word = topics[shown[k] % 3]};
        offers[k] = (posse_feature_list){1, &topic[k]};
    }
    posse_named named = {.shared = {2, who}, .points = offers};
    return posse_decide(page, &(posse_context){.count = SHOWN, .arms = shown, .named = &named}, d);
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

/* Clicks arrive in batches, the latest first. */
typedef struct clicks {
    int count;
    uint64_t ids[BATCH];
} clicks;

static void send(posse *p, clicks *c) {
    while (c->count > 0) posse_learn(p, c->ids[--c->count], 1.0);
}

static int tell(posse *rules) {
    posse_finding found[RULES];
    posse_report report = {.control = NEWEST, .learners = found};
    if (posse_report_make(rules, &report) != POSSE_OK) return 1;
    printf("%s: %s\n", report.verdict == POSSE_DECIDED ? "decided" : "open", report.reason);
    for (int i = 0; i < RULES; i++)
        printf("%-8s %3d rewards, mean %.4f, at all times %.4f to %.4f\n", posse_learner_name(rules, i),
               (int)found[i].rewards, found[i].mean, found[i].low, found[i].high);
    return 0;
}

int main(void) {
    posse *rules = make_rules(), *page = make_page();
    clicks of_rules = {0}, of_page = {0};
    unsigned digest = 0;
    int first = 0; /* of the four articles on the page */
    for (int round = 0; round < ROUNDS; round++) {
        if (rules == NULL || page == NULL) return 1;
        if (round > 0 && round % EVERY == 0 &&
            first + SHOWN < ARTICLES) { /* the oldest article goes, a new one comes */
            posse_arm_retire(page, posse_arm_find(page, articles[first++]));
            if (posse_arm_add_named(page, articles[first + SHOWN - 1], NULL, NULL) != POSSE_OK) return 1;
        }
        if (round % BATCH == BATCH - 1) {
            send(rules, &of_rules);
            send(page, &of_page);
        }
        if (round == RESTART) {
            rules = restart(rules);
            page = restart(page);
        }
        visitor v = visitor_next();
        posse_decision rule, choice = {0};
        if (posse_decide(rules, NULL, &rule) != POSSE_OK) return 1;
        int article = rule.learner == NEWEST ? first + SHOWN - 1 : first;
        if (rule.learner == PERSONAL) {
            if (personal(page, &v, first, &choice) != POSSE_OK) return 1;
            article = choice.arm;
        }
        if (visitor_clicks(&v, article)) {
            of_rules.ids[of_rules.count++] = rule.id;
            if (rule.learner == PERSONAL) of_page.ids[of_page.count++] = choice.id;
        }
        digest = 31 * digest + (unsigned)(10 * article + rule.learner);
        if (round % EVERY == 0)
            printf("round %3d: %s, %d years: %s shows %s\n", round, countries[v.country], v.age,
                   posse_learner_name(rules, rule.learner), articles[article]);
    }
    printf("decisions: %08x\n", digest);
    int failed = tell(rules);
    posse_free(rules);
    posse_free(page);
    return failed;
}
