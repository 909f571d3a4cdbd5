/* SPDX-License-Identifier: MIT */
/*
 * bench_text FILE ARMS SLOTS RUNS: classification of sparse rows as a bandit, one pass. Prints the error and the time
 * of each learner alone, and of a team of them under B-MS+ (bench/text.py makes the file). A row is its class and its
 * pairs, "1 0:1 17:1 230:1".
 */
#include <posse_all.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct text {
    int rows, most; /* pairs of a row, at most */
    int *answers, *firsts, *counts, *indices;
    double *values;
} text;

static void *grown(void *block, size_t size) {
    void *larger = realloc(block, size);
    if (larger == NULL) exit(1);
    return larger;
}

static void read_pairs(text *t, char *line, int *used, int *room) {
    char *end = line;
    t->answers[t->rows] = (int)strtol(line, &end, 10);
    t->firsts[t->rows] = *used;
    for (char *at = end; *at == ' '; at = end) {
        if (*used == *room) {
            *room *= 2;
            t->indices = grown(t->indices, (size_t)*room * sizeof *t->indices);
            t->values = grown(t->values, (size_t)*room * sizeof *t->values);
        }
        t->indices[*used] = (int)strtol(at + 1, &end, 10);
        t->values[(*used)++] = strtod(end + 1, &end);
    }
    t->counts[t->rows] = *used - t->firsts[t->rows];
    if (t->counts[t->rows] > t->most) t->most = t->counts[t->rows];
    t->rows++;
}

static text read_rows(const char *path) {
    text t = {0};
    int used = 0, room = 1024;
    char *line = NULL;
    size_t length = 0;
    FILE *file = fopen(path, "r");
    if (file == NULL) exit(1);
    t.indices = grown(NULL, (size_t)room * sizeof *t.indices);
    t.values = grown(NULL, (size_t)room * sizeof *t.values);
    while (getline(&line, &length, file) > 0) {
        size_t rows = (size_t)t.rows + 1;
        t.answers = grown(t.answers, rows * sizeof *t.answers);
        t.firsts = grown(t.firsts, rows * sizeof *t.firsts);
        t.counts = grown(t.counts, rows * sizeof *t.counts);
        read_pairs(&t, line, &used, &room);
    }
    free(line);
    fclose(file);
    return t;
}

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Plays all rows once, and returns the share of wrong answers. */
static double play(posse *p, const text *t) {
    int wrong = 0;
    for (int i = 0; i < t->rows; i++) {
        posse_sparse words = {t->counts[i], t->indices + t->firsts[i], t->values + t->firsts[i]};
        posse_decision d;
        if (posse_decide(p, &(posse_context){.sparse_shared = &words}, &d) != POSSE_OK) exit(1);
        bool right = d.arm == t->answers[i];
        wrong += !right;
        if (posse_learn(p, d.id, right) != POSSE_OK) exit(1);
    }
    return (double)wrong / t->rows;
}

static void complain(void *context, const posse_place *place, const char *message) {
    char where[200] = "";
    (void)context;
    if (place != NULL) posse_place_text(place, where, sizeof where);
    fprintf(stderr, "bench_text: %s: %s\n", where, message);
}

static void measure(const char *name, posse_def def, const text *t, int runs) {
    double error = 0.0, time = 0.0;
    size_t length = 0;
    int known = 0;
    for (int run = 0; run < runs; run++) {
        posse *p;
        def.seed = 1 + (uint64_t)run;
        def.host.log = (posse_logger){complain, NULL};
        if (posse_create(&def, &p) != POSSE_OK) exit(1);
        double begin = seconds();
        error += play(p, t) / runs;
        time += (seconds() - begin) / runs;
        known = posse_known_features(p);
        posse_save(p, NULL, &length);
        posse_free(p);
    }
    printf("%-34s %.4f   %6.1f us   %6.1f MB for %d features\n", name, error, 1e6 * time / t->rows,
           1e-6 * (double)length, known);
    fflush(stdout);
}

#define NUMBER(key_, number_)                                                                                          \
    { .key = key_, .number = number_ }

static const posse_part learners[] = {
    {.kind = "sgd-epsilon-greedy", .name = "sgd-epsilon-greedy 0", .options = {NUMBER("epsilon", 0)}},
    {.kind = "sgd-epsilon-greedy"},
    {.kind = "sgd-softmax"},
    {.kind = "sgd-softmax", .name = "sgd-softmax 30", .options = {NUMBER("lambda", 30)}},
    {.kind = "sgd-bag"},
    {.kind = "sgd-cover"},
    {.kind = "sgd-square-cb"},
    {.kind = "sgd-square-cb", .name = "sgd-square-cb 100", .options = {NUMBER("gamma", 100)}},
    {.kind = "sgd-regcb"},
    {.kind = "sgd-regcb", .name = "sgd-regcb .001", .options = {NUMBER("mellowness", 0.001)}},
    {.kind = "linear-ucb", .name = "linear-ucb .1", .options = {NUMBER("width", 0.1)}},
    {.kind = "logistic-ucb", .name = "logistic-ucb 0", .options = {NUMBER("width", 0)}},
    {.kind = "logistic-ucb", .name = "logistic-ucb .1", .options = {NUMBER("width", 0.1)}},
    {.kind = "logistic-ucb", .name = "logistic-ucb .3", .options = {NUMBER("width", 0.3)}},
    {.kind = "logistic-thompson", .name = "logistic-thompson .3", .options = {NUMBER("width", 0.3)}},
};
#define COUNT ((int)(sizeof learners / sizeof learners[0]))

/* The team was chosen on the tweets. */
static const posse_part team[] = {
    {.kind = "logistic-ucb", .name = "logistic-ucb .1", .options = {NUMBER("width", 0.1)}},
    {.kind = "logistic-ucb", .name = "logistic-ucb .3", .options = {NUMBER("width", 0.3)}},
    {.kind = "sgd-regcb", .name = "sgd-regcb .001", .options = {NUMBER("mellowness", 0.001)}},
    {.kind = "sgd-square-cb", .name = "sgd-square-cb 100", .options = {NUMBER("gamma", 100)}},
};

int main(int argc, char **argv) {
    if (argc != 5) {
        fprintf(stderr, "usage: bench_text FILE ARMS SLOTS RUNS\n");
        return 2;
    }
    text t = read_rows(argv[1]);
    int runs = (int)strtol(argv[4], NULL, 10);
    posse_part belief = {.kind = "logistic"};
    posse_def def = posse_default_def();
    def.arms = (int)strtol(argv[2], NULL, 10);
    def.context = (int)strtol(argv[3], NULL, 10);
    def.nonzeros = t.most;
    def.selector = (posse_part){0};
    def.learner_count = 1;
    for (int i = 0; i < COUNT; i++) {
        def.learners = &learners[i];
        measure(learners[i].name != NULL ? learners[i].name : learners[i].kind, def, &t, runs);
    }
    def.learners = team;
    def.learner_count = (int)(sizeof team / sizeof team[0]);
    def.prior = belief;
    for (int consider = 0; consider <= 1; consider++) {
        def.selector = (posse_part){.kind = "bms-plus", .options = {NUMBER("consider", consider)}};
        measure(consider ? "team under bms-plus, consider" : "team under bms-plus", def, &t, runs);
    }
    free(t.answers), free(t.firsts), free(t.counts), free(t.indices), free(t.values);
    return 0;
}
