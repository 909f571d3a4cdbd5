/* SPDX-License-Identifier: MIT */
/*
 * A posse is the same, to the byte of its saved form, whichever way its description came: JSON over HTTP, JSON in a
 * command of Redis, or YAML. The definitions have options of every type.
 */
#include <stdlib.h>
#include <string.h>

#include "describe/document.h"
#include "describe/flow.h"
#include "describe/json_document.h"
#include "describe/prior_file.h"
#include "law.h"
#include "served/description.h"

static const char *const definitions[] = {
    /* numbers, words, flags */
    "{\"name\": \"a\", \"arms\": 5, \"seed\": 18446744073709551615, \"prior\": {\"kind\": \"beta\", \"alpha\": 1.5, "
    "\"beta\": 15, \"robust\": false}, \"selector\": {\"kind\": \"bms\", \"share\": true, \"batch\": 2, \"patience\": "
    "\"endless\"}, \"learners\": [{\"kind\": \"ucb\", \"name\": \"b\\u00f6ld \\ud83d\\ude00\", \"width\": 0.1, \"delta\": "
    "1e-3}, \"thompson\", {\"kind\": \"epsilon-greedy\", \"epsilon\": 0.30000000000000004}]}",
    /* lists, a list for each learner, ranges */
    "{\"name\": \"b\", \"arms\": 3, \"prior\": {\"kind\": \"gaussian\", \"mean\": [0, -1.25e-2, 3], \"sd\": [1, 2, 0.5], "
    "\"noise\": 0.1}, \"selector\": {\"kind\": \"balancing\", \"coefficients\": [1, 2]}, \"learners\": [\"ucb\", "
    "{\"kind\": \"thompson\", \"belief\": {\"kind\": \"gaussian\", \"sd\": 2}}]}",
    "{\"name\": \"c\", \"arms\": 2, \"rounds\": 1000, \"selector\": {\"kind\": \"corral\", \"range\": [-1, 2]}, \"learners\": [\"ucb\", "
    "{\"kind\": \"ucb\", \"name\": \"true\", \"width\": 2}, {\"kind\": \"ucb\", \"name\": \"1e3\", \"width\": 3}]}",
    /* tables, parts in parts */
    "{\"name\": \"d\", \"arms\": 2, \"prior\": {\"kind\": \"mixture\", \"components\": [{\"weight\": 0.25, \"belief\": "
    "{\"kind\": \"joint-gaussian\", \"mean\": [0, 1], \"covariance\": [[1, 0.5], [0.5, 2]]}}, {\"weight\": 3, \"belief\": "
    "{\"kind\": \"particles\", \"table\": [[1, 2], [3, 4], [5, 7]], \"weights\": [1, 2, 3], \"kernel\": 0.5}}]}, "
    "\"learners\": [\"thompson\", \"ucb\"]}",
    /* points, options inside of options */
    "{\"name\": \"e\", \"points\": [[1, 0], [0, 1], [0.6, 0.8]], \"prior\": {\"kind\": \"linear\", \"precision\": 2, "
    "\"noise\": {\"shape\": 3, \"scale\": 2}}, \"learners\": [\"linear-ucb\", {\"kind\": \"linear-thompson\", \"width\": "
    "0.25}], \"expire_after\": 10, \"expire_reward\": -0.5}",
};

typedef struct bytes {
    void *data;
    size_t size;
} bytes;

static bytes saved(const posse_def *def) {
    posse *p;
    assert_int_equal(posse_create(def, &p), POSSE_OK);
    bytes out = {0};
    posse_save(p, NULL, &out.size);
    out.data = malloc(out.size);
    assert_int_equal(posse_save(p, out.data, &out.size), POSSE_OK);
    posse_free(p);
    return out;
}

static void assert_same_bytes(bytes a, bytes b, const char *text) {
    assert_that(a.size == b.size && memcmp(a.data, b.data, a.size) == 0, "another posse: %s", text);
    free(b.data);
}

/* The parts of the definition as YAML describes them. */
static posse_def def_of_yaml(const char *yaml, const posse_def *numbers, pool *memory, problems *found) {
    const node *root = document_read(yaml, strlen(yaml), memory, found);
    definition parts;
    posse_def def = *numbers;
    assert_that(root != NULL && definition_read(&parts, &root, memory, found, numbers, prior_file_take), "%s: %s", yaml,
                found->count > 0 ? found->list[0].text : "");
    def.prior = parts.prior;
    if (node_find(root, "selector") != NULL) def.selector = parts.selector;
    def.learners = parts.learners;
    def.learner_count = parts.learner_count;
    return def;
}

LAW(every_way_to_describe_a_posse_makes_the_same_bytes) {
    for (size_t i = 0; i < sizeof definitions / sizeof *definitions; i++) {
        const char *text = definitions[i];
        pool *memory = pool_create(NULL);
        problems found;
        description http, redis;
        problems_open(&found, NULL);
        bool read = description_read(text, strlen(text), memory, &found, &http) &&
                    description_read_nameless(text, strlen(text), memory, &found, &redis);
        assert_that(read, "%s: %s: %s", text, found.count > 0 ? found.list[0].path : "",
                    found.count > 0 ? found.list[0].text : "");
        bytes first = saved(&http.def);
        assert_same_bytes(first, saved(&redis.def), text);
        const node *described = json_document_read(text, strlen(text), NULL, memory, &found);
        const char *yaml = flow_write(described, memory);
        assert_that(strcmp(yaml, text) != 0 && strstr(yaml, "kind: ") != NULL, "%s is no YAML", yaml);
        posse_def def = def_of_yaml(yaml, &http.def, memory, &found);
        assert_same_bytes(first, saved(&def), yaml);
        free(first.data);
        problems_close(&found);
        pool_free(memory);
    }
}

/* The law above can fail: another number makes other bytes. */
LAW(another_description_makes_other_bytes) {
    static const char *const texts[] = {
        "{\"name\": \"a\", \"arms\": 2, \"prior\": \"beta\", \"learners\": [{\"kind\": \"ucb\", \"width\": 0.3}]}",
        "{\"name\": \"a\", \"arms\": 2, \"prior\": \"beta\", \"learners\": [{\"kind\": \"ucb\", \"width\": "
        "0.30000000000000004}]}"};
    bytes both[2];
    for (int i = 0; i < 2; i++) {
        pool *memory = pool_create(NULL);
        problems found;
        description d;
        problems_open(&found, NULL);
        assert_true(description_read(texts[i], strlen(texts[i]), memory, &found, &d));
        both[i] = saved(&d.def);
        problems_close(&found);
        pool_free(memory);
    }
    assert_int_equal(both[0].size, both[1].size);
    assert_memory_not_equal(both[0].data, both[1].data, both[0].size);
    free(both[0].data), free(both[1].data);
}
