/* SPDX-License-Identifier: MIT */
#include "describe/definition_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/json_text.h"
#include "common/text.h"
#include "describe/feature_map.h"
#include "describe/part_copy.h"
#include "describe/part_json.h"
#include "posse_inside.h"

/* Writes a key with a value, which is released. False: no memory. */
static bool write_value(FILE *out, const char *key, json_t *value) {
    if (value == NULL) return false;
    fprintf(out, ",\"%s\":", key);
    json_text_write(out, value, JSON_TEXT_COMPACT);
    json_decref(value);
    return true;
}

/* Whole numbers up to 2^64 - 1, which jansson does not have. */
static void write_whole(FILE *out, const char *key, uint64_t number) {
    fprintf(out, ",\"%s\":%" PRIu64, key, number);
}

static json_t *resolved_json(posse_family family, const posse_part *prior, const posse_part *part,
                             const part_surroundings *in, pool *memory) {
    posse_part own;
    if (!part_copy(memory, part, &own) || !part_resolve(family, prior, &own)) return NULL;
    return part_json(family, &own, in);
}

static json_t *points_json(const posse_def *def) {
    json_t *rows = json_array();
    for (int a = 0; a < def->arms; a++) {
        json_t *row = json_array();
        for (int k = 0; k < def->dim; k++)
            json_array_append_new(row, json_real(def->points[(size_t)a * (size_t)def->dim + (size_t)k]));
        json_array_append_new(rows, row);
    }
    return rows;
}

static json_t *retired_json(const posse *p) {
    json_t *list = json_array();
    for (int a = 0; a < posse_arm_count(p); a++)
        if (!posse_arm_active(p, a)) json_array_append_new(list, json_integer(a));
    return list;
}

static json_t *definition_names_json(const posse_def *def) {
    json_t *list = json_array();
    for (int a = 0; a < def->arms; a++) json_array_append_new(list, json_string(def->names[a]));
    return list;
}

static bool write_arms(FILE *out, const posse *p, const posse_def *def) {
    if (def->names != NULL && !write_value(out, "arms", definition_names_json(def))) return false;
    if (def->names == NULL) write_whole(out, "arms", (uint64_t)def->arms);
    if (def->joins > 0) write_whole(out, "joins", (uint64_t)def->joins);
    write_whole(out, "dim", (uint64_t)def->dim);
    write_whole(out, "context", (uint64_t)def->context);
    if (def->nonzeros > 0) write_whole(out, "nonzeros", (uint64_t)def->nonzeros);
    if (def->features != NULL && !write_value(out, "features", feature_map_json(def->features))) return false;
    bool fine = def->points == NULL || write_value(out, "points", points_json(def));
    json_t *retired = retired_json(p);
    if (json_array_size(retired) > 0) return fine && write_value(out, "retired", retired);
    json_decref(retired);
    return fine;
}

static bool write_parts(FILE *out, const posse_def *def, pool *memory) {
    const part_surroundings in = {(size_t)def->arms, ""};
    const posse_part *prior = def->prior.kind != NULL ? &def->prior : NULL;
    json_t *learners = json_array();
    for (int i = 0; i < def->learner_count; i++)
        json_array_append_new(learners, resolved_json(POSSE_FAMILY_LEARNER, prior, &def->learners[i], &in, memory));
    bool whole = json_array_size(learners) == (size_t)def->learner_count;
    bool fine = write_value(out, "learners", learners) && whole;
    if (prior != NULL)
        fine = write_value(out, "prior", resolved_json(POSSE_FAMILY_BELIEF, NULL, prior, &in, memory)) && fine;
    if (def->selector.kind != NULL)
        fine = write_value(out, "selector", resolved_json(POSSE_FAMILY_SELECTOR, prior, &def->selector, &in, memory)) &&
               fine;
    return fine;
}

static void write_numbers(FILE *out, const posse_def *def, const definition_served *also) {
    char text[NUMBER_TEXT];
    write_whole(out, "seed", def->seed);
    write_whole(out, "rounds", def->rounds);
    if (def->expire_after > 0) write_whole(out, "expire_after", def->expire_after);
    if (def->expire_learns) {
        number_text(def->expire_reward, text);
        fprintf(out, ",\"expire_reward\":%s", text);
    }
    write_whole(out, "propensity_draws", def->propensity_draws);
    fprintf(out, ",\"report\":%s", def->report ? "true" : "false");
    if (also == NULL) return;
    write_whole(out, "expire_seconds", also->expire_seconds);
    fprintf(out, ",\"record\":%s", also->records ? "true" : "false");
}

static bool definition_write(FILE *out, const posse *p, const definition_served *also, posse_part *learners,
                             pool *memory) {
    posse_def def;
    if (posse_definition(p, &def, learners) != POSSE_OK) return false;
    fputc('{', out);
    if (also != NULL) fprintf(out, "\"name\":\"%s\"", also->name); /* of characters that need no escape */
    bool fine = write_arms(out, p, &def) && write_parts(out, &def, memory);
    write_numbers(out, &def, also);
    fputc('}', out);
    return fine;
}

/* Without a name, the first key has a comma before it, which is left out. */
static void leave_out_comma(char *text, size_t length) {
    if (length > 1 && text[1] == ',') memmove(text + 1, text + 2, length - 1);
}

char *definition_text(const posse *p, const definition_served *also) {
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    posse_part *learners = calloc((size_t)posse_learner_count(p) + 1, sizeof *learners);
    pool *memory = pool_create(NULL);
    bool fine = out != NULL && learners != NULL && memory != NULL && definition_write(out, p, also, learners, memory) &&
                !pool_failed(memory);
    if (out != NULL && fclose(out) != 0) fine = false;
    pool_free(memory);
    free(learners);
    if (fine) leave_out_comma(text, length);
    if (fine) return text;
    free(text);
    return NULL;
}
