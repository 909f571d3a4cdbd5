/* SPDX-License-Identifier: MIT */
/*
 * The feature map of a description: {names: [..], interactions: [user*item], scale: {age: {mean: 40, sd: 12}},
 * learn_scale: 1000, constant: true}.
 */
#ifndef POSSE_DESCRIBE_FEATURE_MAP_H
#define POSSE_DESCRIBE_FEATURE_MAP_H

#include <jansson.h>

#include "describe/problems.h"
#include "posse_features.h"

/* Reads a map into memory of the pool, and adds what is wrong with its shape to `found`. NULL: it is wrong. */
const posse_feature_def *feature_map_described(problems *found, const node *map, pool *memory);

/* The map as a description has it, with every key. NULL: no memory. */
json_t *feature_map_json(const posse_feature_def *def);

#endif
