/* SPDX-License-Identifier: MIT */
/*
 * A client that loads `posse serve`: serve_http PORT POSSE WHAT CONNECTIONS SECONDS
 *
 * Every connection has one request under way, and sends the next one when the answer has arrived. WHAT is
 *     read    GET the plays, which writes nothing
 *     decide  decide, then learn its reward, and so on: two requests a round, each on disk before it is answered
 *     turn    learn 64 rewards and decide 64 times in one request, on disk before it is answered
 * It prints a line of CSV: what, connections, requests a second, rounds a second, and the median, the 99th percentile
 * and the longest of the times between a request and its answer, in milliseconds.
 */
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

#define BATCH 64
#define TOKEN 24
#define ROOM 32768
#define TIMES 4000000

typedef enum work { WORK_READ, WORK_DECIDE, WORK_TURN } work;

typedef struct client {
    int socket;
    char request[ROOM], answer[ROOM];
    size_t length, sent, got;
    char tokens[BATCH][TOKEN]; /* of decisions without a reward */
    int owed;
    double asked;
} client;

static work what;
static const char *posse;
static double *times;
static size_t time_count;
static uint64_t requests, rounds;
static unsigned dice = 1;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void die(const char *why) {
    fprintf(stderr, "serve_http: %s\n", why);
    exit(1);
}

static int reward(void) {
    dice = dice * 1664525u + 1013904223u;
    return dice >> 30 == 0;
}

/* ------------------------------------------------------ asking --------------------------------------------------- */

static size_t write_rewards(client *c, char *out) {
    size_t used = (size_t)sprintf(out, "{\"rewards\":[");
    for (int i = 0; i < c->owed; i++)
        used += (size_t)sprintf(out + used, "%s{\"token\":\"%.*s\",\"reward\":%d}", i > 0 ? "," : "", TOKEN,
                                c->tokens[i], reward());
    used += (size_t)sprintf(out + used, what == WORK_TURN ? "],\"n\":%d}" : "]}", BATCH);
    return used;
}

static void write_request(client *c) {
    char body[ROOM / 2] = "";
    size_t length = 0;
    const char *verb = what == WORK_READ ? "plays" : what == WORK_TURN ? "turn" : c->owed > 0 ? "learn" : "decide";
    if (what == WORK_TURN || c->owed > 0) length = write_rewards(c, body);
    c->length = (size_t)snprintf(c->request, ROOM, "%s /v1/posses/%s/%s HTTP/1.1\r\nHost: localhost\r\n",
                                 what == WORK_READ ? "GET" : "POST", posse, verb);
    if (what != WORK_READ) c->length += (size_t)sprintf(c->request + c->length, "Content-Length: %zu\r\n", length);
    c->length += (size_t)sprintf(c->request + c->length, "\r\n%s", body);
    c->sent = c->got = 0;
}

static void send_some(client *c) {
    ssize_t sent = write(c->socket, c->request + c->sent, c->length - c->sent);
    if (sent < 0) die("a connection is lost");
    c->sent += (size_t)sent;
    if (c->sent < c->length) die("the system takes no more");
}

static void ask(client *c) {
    write_request(c);
    c->asked = now();
    send_some(c);
}

/* ----------------------------------------------------- answers --------------------------------------------------- */

/* Whether the answer is complete. */
static bool is_whole(const client *c) {
    const char *end = memmem(c->answer, c->got, "\r\n\r\n", 4);
    if (end == NULL) return false;
    if (strncmp(c->answer, "HTTP/1.1 200", 12) != 0) die(c->answer);
    const char *length = memmem(c->answer, (size_t)(end - c->answer), "Content-Length: ", 16);
    if (length == NULL) die("an answer without a length");
    return c->got >= (size_t)(end + 4 - c->answer) + strtoul(length + 16, NULL, 10);
}

static void take_tokens(client *c) {
    c->owed = 0;
    for (const char *at = c->answer; c->owed < BATCH; c->owed++) {
        at = memmem(at, (size_t)(c->answer + c->got - at), "\"token\":\"", 9);
        if (at == NULL) return;
        memcpy(c->tokens[c->owed], at += 9, TOKEN);
    }
}

static void take_answer(client *c, double at) {
    requests++;
    if (what == WORK_TURN) rounds += (uint64_t)c->owed;
    if (what == WORK_DECIDE && c->owed > 0) rounds++;
    if (time_count < TIMES) times[time_count++] = at - c->asked;
    take_tokens(c);
}

static void receive(client *c) {
    ssize_t got = read(c->socket, c->answer + c->got, ROOM - 1 - c->got);
    if (got <= 0) die("the server has closed a connection");
    c->got += (size_t)got;
    c->answer[c->got] = '\0';
    if (!is_whole(c)) return;
    take_answer(c, now());
    ask(c);
}

/* ----------------------------------------------------- the whole ------------------------------------------------- */

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static void connect_all(client *list, int count, int port, int poll) {
    struct sockaddr_in where = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    where.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int yes = 1;
    for (int i = 0; i < count; i++) {
        struct epoll_event event = {.events = EPOLLIN, .data.ptr = &list[i]};
        list[i].socket = socket(AF_INET, SOCK_STREAM, 0);
        if (connect(list[i].socket, (struct sockaddr *)&where, sizeof where) != 0) die("there is no server");
        setsockopt(list[i].socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
        epoll_ctl(poll, EPOLL_CTL_ADD, list[i].socket, &event);
    }
}

int main(int argc, char **argv) {
    if (argc != 6) die("usage: serve_http PORT POSSE read|decide|turn CONNECTIONS SECONDS");
    posse = argv[2];
    what = strcmp(argv[3], "read") == 0 ? WORK_READ : strcmp(argv[3], "turn") == 0 ? WORK_TURN : WORK_DECIDE;
    int count = atoi(argv[4]), poll = epoll_create1(0);
    double seconds = atof(argv[5]);
    client *list = calloc((size_t)count, sizeof *list);
    times = malloc(TIMES * sizeof *times);
    if (list == NULL || times == NULL) die("no memory");
    connect_all(list, count, atoi(argv[1]), poll);
    double began = now();
    for (int i = 0; i < count; i++) ask(&list[i]);
    while (now() - began < seconds) {
        struct epoll_event events[256];
        int ready = epoll_wait(poll, events, 256, 1000);
        for (int i = 0; i < ready; i++) receive(events[i].data.ptr);
    }
    double took = now() - began;
    qsort(times, time_count, sizeof *times, by_size);
    if (time_count == 0) die("no answer");
    printf("%s,%d,%.0f,%.0f,%.3f,%.3f,%.3f\n", argv[3], count, (double)requests / took, (double)rounds / took,
           1e3 * times[time_count / 2], 1e3 * times[time_count * 99 / 100], 1e3 * times[time_count - 1]);
    return 0;
}
