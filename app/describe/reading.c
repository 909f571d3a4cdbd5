/* SPDX-License-Identifier: MIT */
#include "describe/reading.h"

bool reading_failed(const reading *r) {
    return r->out_of_memory || pool_failed(r->memory) || problems_failed(r->found);
}
