/* SPDX-License-Identifier: MIT */
/*
 * Load for a Redis server: serve_redis PORT WHAT CONNECTIONS PIPELINE SECONDS KEYS, where WHAT is
 *   posse   POSSE.DECIDE, then POSSE.LEARN with the token
 *   turn    POSSE.TURN: learn the decision before and decide, in one command
 *   lua     two scripts, by EVALSHA DECIDE and LEARN, which two more arguments name
 * Each connection sends PIPELINE commands at once, waits for all answers, and repeats. It prints rounds a second,
 * microseconds of a trip, in the median and at 99%, and the number of rounds.
 */
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define CONNECTIONS_MAX 512
#define PIPELINE_MAX 256
#define TOKEN 24
#define BUFFER (1 << 17)
#define TRIPS_MAX 4000000

typedef struct connection {
    int socket;
    bool learns; /* rewards were sent last, and not decisions */
    double sent_at;
    size_t filled;
    char answers[BUFFER];
    char tokens[PIPELINE_MAX][TOKEN + 1]; /* with Lua, the arms */
    int keys[PIPELINE_MAX];
    int count; /* of tokens */
} connection;

static struct {
    const char *what, *decide, *learn;
    int pipeline, keys, next;
    long rounds, trips;
    float *times;
} load;

static void die(const char *what) {
    perror(what);
    exit(1);
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ----------------------------------------------------- commands -------------------------------------------------- */

static size_t put(char *out, int words, const char *const *list) {
    size_t length = (size_t)sprintf(out, "*%d\r\n", words);
    for (int i = 0; i < words; i++) length += (size_t)sprintf(out + length, "$%zu\r\n%s\r\n", strlen(list[i]), list[i]);
    return length;
}

static size_t put_decide(char *out, const char *key) {
    if (strcmp(load.what, "lua") == 0) return put(out, 4, (const char *const[]){"EVALSHA", load.decide, "1", key});
    return put(out, 2, (const char *const[]){"POSSE.DECIDE", key});
}

static size_t put_learn(char *out, const char *key, const char *token, const char *reward) {
    if (strcmp(load.what, "lua") == 0)
        return put(out, 6, (const char *const[]){"EVALSHA", load.learn, "1", key, token, reward});
    return put(out, 4, (const char *const[]){"POSSE.LEARN", key, token, reward});
}

static size_t put_turn(char *out, const char *key, const char *token, const char *reward) {
    if (token[0] == '\0') return put(out, 4, (const char *const[]){"POSSE.TURN", key, "DECIDE", "1"});
    return put(out, 7, (const char *const[]){"POSSE.TURN", key, "LEARN", token, reward, "DECIDE", "1"});
}

/* With turns, each place in the pipeline always uses the same key. */
static void send_commands(connection *c) {
    static char text[PIPELINE_MAX * 256];
    size_t length = 0;
    bool turns = strcmp(load.what, "turn") == 0;
    for (int i = 0; i < load.pipeline; i++) {
        char key[16];
        const char *reward = (load.next + i) % 3 == 0 ? "1" : "0";
        if (!c->learns && (!turns || c->tokens[i][0] == '\0')) c->keys[i] = load.next++ % load.keys;
        sprintf(key, "k%d", c->keys[i]);
        length += turns       ? put_turn(text + length, key, c->tokens[i], reward)
                  : c->learns ? put_learn(text + length, key, c->tokens[i], reward)
                              : put_decide(text + length, key);
    }
    c->count = 0;
    c->filled = 0;
    c->sent_at = now();
    for (size_t done = 0; done < length;) {
        ssize_t more = write(c->socket, text + done, length - done);
        if (more <= 0) die("write");
        done += (size_t)more;
    }
}

/* ----------------------------------------------------- answers --------------------------------------------------- */

/* The end of one answer; stores its token, if there is one. NULL: the answer is not complete. */
static const char *read_answer(const char *at, const char *end, connection *c, int place) {
    const char *line = at < end ? memchr(at, '\n', (size_t)(end - at)) : NULL;
    if (line == NULL) return NULL;
    long number = atol(at + 1);
    const char *next = line + 1;
    switch (*at) {
    case '*':
        for (long i = 0; i < number && next != NULL; i++) next = read_answer(next, end, c, place);
        return next;
    case '$':
        if (number < 0) return next;
        if (end - next < number + 2) return NULL;
        if (number == TOKEN) memcpy(c->tokens[place], next, TOKEN);
        return next + number + 2;
    case ':':
        if (strcmp(load.what, "lua") == 0 && !c->learns) sprintf(c->tokens[place], "%ld", number);
        return next;
    case '+':
        return next;
    default:
        fprintf(stderr, "%.*s\n", (int)(line - at), at);
        exit(1);
    }
}

/* Reads, and returns whether all answers have arrived. */
static bool receive(connection *c) {
    ssize_t more = read(c->socket, c->answers + c->filled, BUFFER - c->filled);
    if (more <= 0) die("read");
    c->filled += (size_t)more;
    const char *at = c->answers, *end = c->answers + c->filled;
    for (; c->count < load.pipeline; c->count++) {
        const char *next = read_answer(at, end, c, c->count);
        if (next == NULL) break;
        at = next;
    }
    c->filled = (size_t)(end - at);
    memmove(c->answers, at, c->filled);
    return c->count == load.pipeline;
}

static void finish_trip(connection *c) {
    bool turns = strcmp(load.what, "turn") == 0;
    if (load.trips < TRIPS_MAX) load.times[load.trips++] = (float)(1e6 * (now() - c->sent_at));
    if (turns || c->learns) load.rounds += load.pipeline;
    c->learns = !turns && !c->learns;
}

/* ------------------------------------------------------ the run -------------------------------------------------- */

static int open_socket(int port) {
    struct sockaddr_in place = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr = {htonl(INADDR_LOOPBACK)}};
    int s = socket(AF_INET, SOCK_STREAM, 0), yes = 1;
    if (s < 0 || connect(s, (struct sockaddr *)&place, sizeof place) != 0) die("connect");
    setsockopt(s, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    return s;
}

static int by_size(const void *a, const void *b) {
    float x = *(const float *)a, y = *(const float *)b;
    return x < y ? -1 : x > y;
}

int main(int argc, char **argv) {
    static connection all[CONNECTIONS_MAX];
    struct pollfd ready[CONNECTIONS_MAX];
    if (argc < 7) return 2;
    int count = atoi(argv[3]);
    double seconds = atof(argv[5]);
    load.what = argv[2];
    load.pipeline = atoi(argv[4]);
    load.keys = atoi(argv[6]);
    load.decide = argc > 7 ? argv[7] : "";
    load.learn = argc > 8 ? argv[8] : "";
    load.times = malloc(TRIPS_MAX * sizeof *load.times);
    if (count < 1 || count > CONNECTIONS_MAX || load.pipeline < 1 || load.pipeline > PIPELINE_MAX || load.keys < 1 ||
        load.times == NULL)
        return 2;
    for (int i = 0; i < count; i++) {
        all[i].socket = open_socket(atoi(argv[1]));
        ready[i] = (struct pollfd){all[i].socket, POLLIN, 0};
    }
    double begin = now(), end = begin;
    for (int i = 0; i < count; i++) send_commands(&all[i]);
    while (end - begin < seconds) {
        if (poll(ready, (nfds_t)count, 1000) < 0) die("poll");
        for (int i = 0; i < count; i++)
            if (ready[i].revents != 0 && receive(&all[i])) {
                finish_trip(&all[i]);
                send_commands(&all[i]);
            }
        end = now();
    }
    qsort(load.times, (size_t)load.trips, sizeof *load.times, by_size);
    printf("%.0f %.0f %.0f %ld\n", (double)load.rounds / (end - begin), load.times[load.trips / 2],
           load.times[load.trips * 99 / 100], load.rounds);
    return 0;
}
