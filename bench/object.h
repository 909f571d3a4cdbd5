/* SPDX-License-Identifier: MIT */
/*
 * What a posse that an application holds costs: its bytes and allocations, microseconds to create it, the bytes of its
 * saved state, and nanoseconds of a decision with its reward.
 */
#ifndef BENCH_OBJECT_H
#define BENCH_OBJECT_H

/* Prints a line for each of a few posses. */
void bench_object(void);

#endif
