/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes the handler of requests. Every request gets an answer with a known status, which is valid JSON if that is its
 * type, and the engine can commit afterwards. An input is "METHOD PATH?QUERY", a line break, and the body; $T in it
 * becomes the token of a pending decision. The quick reader of rewards, which builds no JSON tree, must agree with the
 * tree.
 */
#include <event2/event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "serve/watchers.h"

#define INPUTS_MAX 500 /* inputs, then the engine is opened again */

static const char ads[] = "{\"name\": \"a\", \"arms\": 3, \"prior\": \"beta\", \"learners\": [\"ucb\", \"thompson\"]}";
static const char pages[] =
    "{\"name\": \"c\", \"arms\": [\"p\", \"q\", \"r\"], \"joins\": 6, \"context\": 2, \"dim\": 1, \"prior\": \"linear\", "
    "\"learners\": [\"linear-ucb\", {\"kind\": \"external\", \"name\": \"x\"}]}";
static const char menu[] =
    "{\"name\": \"m\", \"arms\": [\"p\", \"q\"], \"joins\": 6, \"dim\": 16, \"prior\": \"linear\", \"features\": {}, "
    "\"learners\": [\"linear-ucb\", {\"kind\": \"external\", \"name\": \"x\"}]}";

static service host;
static char folder[] = "/dev/shm/posse-fuzz-XXXXXX", database[64];
static int inputs;

static void expect(bool holds, const char *what) {
    if (holds) return;
    fprintf(stderr, "%s\n", what);
    abort();
}

static void settle(void *context) {
    (void)context;
}

static void remove_database(void) {
    static const char *const tails[] = {"", "-wal", "-shm"};
    for (int i = 0; i < 3; i++) {
        char path[80];
        snprintf(path, sizeof path, "%s%s", database, tails[i]);
        unlink(path);
    }
}

static void at_the_end(void) {
    remove_database();
    rmdir(folder);
}

static void begin(void) {
    char why[300];
    hosted *h;
    if (host.watchers == NULL) {
        expect(mkdtemp(folder) != NULL, "no folder");
        snprintf(database, sizeof database, "%s/posse.db", folder);
        atexit(at_the_end);
        host.watchers = watchers_make(event_base_new(), 0, &host, settle, NULL);
    }
    engine_close(host.engine);
    remove_database();
    host.engine = engine_open(database, (engine_limits){.pending = 1000}, why);
    expect(host.engine != NULL, why);
    expect(engine_create(host.engine, ads, strlen(ads), &h) == SERVED_DONE, "ads");
    expect(engine_create(host.engine, pages, strlen(pages), &h) == SERVED_DONE, "pages");
    expect(engine_create(host.engine, menu, strlen(menu), &h) == SERVED_DONE, "menu");
    expect(engine_commit(host.engine), "it cannot commit");
}

/* --------------------------------------------- two readers of rewards -------------------------------------------- */

static void same_reward(const served_reward *read, const json_t *tree) {
    const json_t *token = json_object_get(tree, "token"), *reward = json_object_get(tree, "reward");
    double value = json_is_boolean(reward) ? json_is_true(reward) : json_number_value(reward);
    expect(json_object_size(tree) == 2 && json_is_string(token), "another entry");
    expect(json_is_number(reward) || json_is_boolean(reward), "another kind of reward");
    expect(json_string_length(token) == read->token_length &&
               memcmp(json_string_value(token), read->token, read->token_length) == 0,
           "another token");
    expect(memcmp(&value, &read->reward, sizeof value) == 0, "another reward");
}

static void compare_readers(const char *text, size_t length) {
    reward_list l;
    if (!rewards_read(text, length, &l)) return;
    json_t *tree = json_loadb(text, length, JSON_REJECT_DUPLICATES, NULL);
    const json_t *list = json_object_get(tree, "rewards"), *n = json_object_get(tree, "n");
    expect(json_is_object(tree), "a list that was read is no JSON");
    expect((list != NULL) == (l.list != NULL) && json_array_size(list) == l.count, "another list");
    expect(n == NULL ? l.n < 0 : json_is_integer(n) && json_integer_value(n) == l.n, "another n");
    expect(json_object_size(tree) == (size_t)(list != NULL) + (size_t)(n != NULL), "a key was left out");
    for (size_t i = 0; i < l.count; i++) same_reward(&l.list[i], json_array_get(list, i));
    json_decref(tree);
    free(l.list);
}

/* ------------------------------------------------------ requests ------------------------------------------------- */

/* The body with $T replaced by the token of a new decision. To be freed. */
static char *with_token(const char *body, size_t length, size_t *out) {
    served_decision d = {0};
    const char *place = length > 1 ? memmem(body, length, "$T", 2) : NULL;
    char *text = malloc(length + TOKEN_TEXT + 1);
    if (text == NULL) abort();
    memcpy(text, body, length);
    *out = length;
    hosted *h = engine_find(host.engine, "a");
    if (place == NULL || h == NULL ||
        engine_do(host.engine, h, &(served_work){.decision_count = 1, .decisions = &d}) != SERVED_DONE)
        return text;
    size_t before = (size_t)(place - body);
    memcpy(text + before, d.token, TOKEN_TEXT);
    memcpy(text + before + TOKEN_TEXT, place + 2, length - before - 2);
    *out = length + TOKEN_TEXT - 2;
    return text;
}

static void split(request *r, char *line) {
    char *space = strchr(line, ' '), *query = strchr(line, '?'), *piece;
    r->method = line[0] == 'P' ? EVHTTP_REQ_POST : line[0] == 'D' ? EVHTTP_REQ_DELETE : EVHTTP_REQ_GET;
    if (query != NULL) *query = '\0';
    r->query = query != NULL ? query + 1 : NULL;
    for (char *rest = space != NULL ? space + 1 : NULL; (piece = strsep(&rest, "/")) != NULL;)
        if (*piece != '\0' && r->segment_count < SEGMENTS_MAX) r->segments[r->segment_count++] = strdup(piece);
}

static void check_answer(const request *r, int status) {
    static const int statuses[] = {200, 201, 204, 400, 404, 405, 409, 413, 429};
    bool known = false;
    for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++) known = known || statuses[i] == status;
    expect(known, "a status that should not be");
    if (r->type != NULL || r->watches) return;
    expect(status != 204 || r->out.length == 0, "an answer in which there should be nothing");
    if (status == 204) return;
    /* Whole numbers of 64 bits are JSON, and too large for jansson's integers. */
    json_t *said = json_loadb(r->out.text, r->out.length, JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL, NULL);
    expect(said != NULL, "the answer is no JSON");
    const json_t *error = json_object_get(said, "error");
    if (request_nests(r) && status >= 400) error = json_object_get(error, "message");
    expect(status < 400 || json_is_string(error), "a problem without words");
    json_decref(said);
}

/* The answer to a request, after all pieces of its work. */
static int answer_of(request *r) {
    int status = request_answer(r);
    bool over = false;
    if (status != STATUS_LATER) return status;
    expect(engine_commit(host.engine), "it cannot commit");
    served_status done = engine_work_begin(host.engine, r->work);
    if (done != SERVED_DONE) return request_refuse(r, done);
    while (!over) done = engine_work_continue(host.engine, r->work, &over);
    engine_work_finish(host.engine, r->work);
    return done == SERVED_DONE ? r->answer(r, &r->work->asked) : request_refuse(r, done);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const uint8_t *end = memchr(data, '\n', size);
    if (inputs++ % INPUTS_MAX == 0) begin();
    if (end == NULL) return 0;
    char *line = strndup((const char *)data, (size_t)(end - data));
    size_t length;
    char *body = with_token((const char *)end + 1, size - (size_t)(end + 1 - data), &length);
    compare_readers(body, length);
    request r = {.service = &host, .body = body, .length = length};
    split(&r, line);
    check_answer(&r, answer_of(&r));
    request_close(&r);
    expect(engine_commit(host.engine), "it cannot commit");
    free(body);
    free(line);
    return 0;
}
