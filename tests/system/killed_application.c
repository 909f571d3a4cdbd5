/* SPDX-License-Identifier: MIT */
/*
 * An application that is killed again and again, and a process around it, "the world", which survives.
 *
 *     killed_application FILE KILLS SEED [exact]
 *
 * The application decides, shows the arm to the world, learns the rewards that arrive, and saves to FILE every 10
 * rounds. It is killed (SIGKILL) KILLS times at random moments, and restarts from the file. The world remembers every
 * arm that it was shown and pays for it at any time, in any order, possibly twice, and possibly in a later life of the
 * application. Arm a pays 1 + a/8 or minus that, with equal probability. So the size of a reward identifies its arm,
 * and no arm is best: the plays depend on every reward and differ from life to life.
 *
 * Beside the posse, the file stores how often each arm has paid which reward, as the world reports it. At the end the
 * belief must be the one that a new posse has after exactly these rewards. With `exact` the application loads without a
 * new epoch, which is wrong here, because ids of lost decisions are used again.
 *
 * Exit status: 0, every reward was credited to its own decision; 1, some were not; 2, the trial itself failed.
 */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <posse_inside.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define ARMS 8
#define EXPIRE_AFTER 2000

/* A decision as the world sees it; it returns with the reward. */
typedef struct showing {
    uint64_t id;
    int32_t arm;
    int32_t lucky; /* set by the world: 1, the reward is positive; 0, negative */
} showing;

typedef struct application {
    posse *p;
    uint64_t paid[ARMS][2]; /* number of rewards learned, by the arm that the world was shown and by `lucky` */
} application;

/* Counts over all lives, including what later was lost, in memory that the world and the applications share. */
typedef struct tally {
    uint64_t lives_with_a_past, learned, learned_from_earlier_lives, refused, of_another_arm;
} tally;

static const char *file_name;
static bool exact;
static tally *counts;

static void fail(const char *what) {
    fprintf(stderr, "killed_application: %s: %s\n", what, strerror(errno));
    exit(2);
}

static void must(posse_error error) {
    if (error == POSSE_OK) return;
    fprintf(stderr, "killed_application: %s\n", posse_error_name(error));
    exit(2);
}

static double pay(int arm, int lucky) {
    double size = 1.0 + (double)arm / ARMS;
    return lucky ? size : -size;
}

static posse *newborn(void) {
    static const posse_part learners[] = {
        {.kind = "thompson"}, {.kind = "ucb"}, {.kind = "epsilon-greedy", .options = {{"epsilon", 0.5}}}};
    posse_def def = posse_default_def();
    def.arms = ARMS;
    def.prior = (posse_part){.kind = "gaussian"};
    def.learners = learners;
    def.learner_count = 3;
    def.expire_after = EXPIRE_AFTER;
    posse *p;
    must(posse_create(&def, &p));
    return p;
}

/* ------------------------------------------------- the application ---------------------------------------------- */

/* Writes a temporary file, and renames it once it is on disk, so that the file is always complete. */
static void save(const application *a) {
    char temporary[4096];
    snprintf(temporary, sizeof temporary, "%s.new", file_name);
    size_t length;
    must(posse_save(a->p, NULL, &length));
    char *bytes = malloc(length);
    if (bytes == NULL) fail("malloc");
    must(posse_save(a->p, bytes, &length));
    FILE *file = fopen(temporary, "wb");
    if (file == NULL) fail(temporary);
    if (fwrite(a->paid, sizeof a->paid, 1, file) != 1 || fwrite(bytes, length, 1, file) != 1) fail(temporary);
    if (fflush(file) != 0 || fsync(fileno(file)) != 0 || fclose(file) != 0) fail(temporary);
    if (rename(temporary, file_name) != 0) fail(file_name);
    free(bytes);
}

static application loaded(FILE *file) {
    static char bytes[1 << 20];
    application a;
    if (fread(a.paid, sizeof a.paid, 1, file) != 1) fail(file_name);
    size_t length = fread(bytes, 1, sizeof bytes, file);
    must(exact ? posse_load_exact(bytes, length, NULL, &a.p) : posse_load(bytes, length, NULL, &a.p));
    fclose(file);
    return a;
}

/* Loads the file, or creates a new posse, which is saved before its first decision so that its epoch is on record. */
static application application_begin(void) {
    FILE *file = fopen(file_name, "rb");
    if (file != NULL) return loaded(file);
    application a = {.p = newborn()};
    save(&a);
    return a;
}

static void learn(application *a, const showing *s, uint64_t life_first) {
    posse_pending decision;
    posse_error found = posse_pending_find(a->p, s->id, &decision);
    posse_error error = posse_learn(a->p, s->id, pay(s->arm, s->lucky));
    if (error != found) must(POSSE_ERROR_ARGUMENT);
    if (error == POSSE_ERROR_UNKNOWN || error == POSSE_ERROR_SETTLED) {
        counts->refused++;
        return;
    }
    must(error);
    a->paid[s->arm][s->lucky]++;
    counts->learned++;
    if (posse_decision_count(a->p) - decision.age <= life_first) counts->learned_from_earlier_lives++;
    if (decision.arm != s->arm) counts->of_another_arm++;
}

static void application_live(int shown, int paid) {
    application a = application_begin();
    uint64_t life_first = posse_decision_count(a.p);
    if (life_first > 0) counts->lives_with_a_past++;
    for (int round = 1;; round++) {
        posse_decision d;
        must(posse_decide(a.p, NULL, &d));
        showing s = {.id = d.id, .arm = d.arm};
        if (write(shown, &s, sizeof s) != sizeof s) fail("show");
        while (read(paid, &s, sizeof s) == sizeof s) learn(&a, &s, life_first);
        if (round % 10 == 0) save(&a);
    }
}

/* ---------------------------------------------------- the world ------------------------------------------------- */

typedef struct world {
    showing *seen;
    size_t count, capacity;
    uint64_t chance;
} world;

static size_t below(world *w, size_t limit) {
    w->chance = w->chance * 6364136223846793005u + 1442695040888963407u;
    return (size_t)((w->chance >> 33) % limit);
}

static void see(world *w, const showing *s) {
    if (w->count == w->capacity) {
        w->capacity = w->capacity > 0 ? 2 * w->capacity : 1024;
        w->seen = realloc(w->seen, w->capacity * sizeof *w->seen);
        if (w->seen == NULL) fail("realloc");
    }
    w->seen[w->count++] = *s;
}

/* Picks one of the latest decisions, one that may have expired, or any one. */
static const showing *any_seen(world *w) {
    static const size_t reach[] = {30, 30, EXPIRE_AFTER + EXPIRE_AFTER / 10, SIZE_MAX};
    size_t most = reach[below(w, 4)];
    return &w->seen[w->count - 1 - below(w, w->count < most ? w->count : most)];
}

/* Runs one application until `left` of its decisions were read, and kills it. After each, the world sends one to four
 * rewards for decisions of its choice. A reward that finds the pipe full is dropped. */
static void world_let_live(world *w, size_t left) {
    int shown[2], paid[2];
    if (pipe(shown) != 0 || pipe(paid) != 0) fail("pipe");
    if (fcntl(shown[0], F_SETFL, O_NONBLOCK) != 0 || fcntl(paid[0], F_SETFL, O_NONBLOCK) != 0 ||
        fcntl(paid[1], F_SETFL, O_NONBLOCK) != 0)
        fail("fcntl");
    pid_t child = fork();
    if (child < 0) fail("fork");
    if (child == 0) application_live(shown[1], paid[0]);
    close(shown[1]);
    showing s;
    bool alive = true;
    for (;;) {
        ssize_t got = read(shown[0], &s, sizeof s);
        if (got == 0) break; /* it is dead, and all its decisions were read */
        if (got == sizeof s) {
            s.lucky = (int)below(w, 2);
            see(w, &s);
            left -= left > 0;
            for (size_t n = 1 + below(w, 4); n > 0; n--)
                if (write(paid[1], any_seen(w), sizeof s) < 0 && errno != EAGAIN) fail("pay");
        }
        if (got < 0) usleep(50);
        if (alive && left == 0) alive = kill(child, SIGKILL) != 0;
    }
    int status;
    if (waitpid(child, &status, 0) != child || !WIFSIGNALED(status)) fail("the application ended by itself");
    close(shown[0]), close(paid[0]), close(paid[1]);
}

/* ---------------------------------------------------- the verdict ----------------------------------------------- */

/* The distance between the belief in the last file and that of a new posse after the rewards that the file lists. */
static double distance_of_beliefs(void) {
    application a = application_begin();
    posse *fresh = newborn();
    for (int arm = 0; arm < ARMS; arm++)
        for (int lucky = 0; lucky < 2; lucky++)
            for (uint64_t n = 0; n < a.paid[arm][lucky]; n++)
                must(posse_teach(fresh, &(posse_action){.arm = arm}, pay(arm, lucky)));
    double found[2][ARMS], expected[2][ARMS], distance = 0.0;
    must(posse_means(a.p, NULL, found[0]));
    must(posse_deviations(a.p, NULL, found[1]));
    must(posse_means(fresh, NULL, expected[0]));
    must(posse_deviations(fresh, NULL, expected[1]));
    for (int arm = 0; arm < ARMS; arm++)
        for (int i = 0; i < 2; i++) distance = fmax(distance, fabs(found[i][arm] - expected[i][arm]));
    posse_free(a.p);
    posse_free(fresh);
    return distance;
}

int main(int argc, char **argv) {
    if (argc < 4) return 2;
    file_name = argv[1];
    int kills = atoi(argv[2]);
    world w = {.chance = strtoull(argv[3], NULL, 10)};
    exact = argc > 4;
    signal(SIGPIPE, SIG_IGN);
    counts = mmap(NULL, sizeof *counts, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (counts == MAP_FAILED) fail("mmap");
    for (int n = 0; n < kills; n++) world_let_live(&w, 1 + below(&w, 1200));

    double distance = distance_of_beliefs();
    printf("%d kills, %zu decisions, %llu lives with a past\n", kills, w.count,
           (unsigned long long)counts->lives_with_a_past);
    printf("%llu rewards learned, %llu of them in a later life; %llu refused\n", (unsigned long long)counts->learned,
           (unsigned long long)counts->learned_from_earlier_lives, (unsigned long long)counts->refused);
    printf("%llu for another arm\n", (unsigned long long)counts->of_another_arm);
    printf("the belief is %s these rewards (%.1e)\n", distance < 1e-9 ? "that of" : "not that of", distance);
    if (counts->learned_from_earlier_lives == 0 || counts->refused == 0 || counts->lives_with_a_past < 2) return 2;
    free(w.seen);
    return counts->of_another_arm > 0 || distance >= 1e-9;
}
