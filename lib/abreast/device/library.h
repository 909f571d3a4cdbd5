/* SPDX-License-Identifier: MIT */
/*
 * The library itself plays runs in the threads of a device. One thread makes the posse and the environment of a
 * competitor, from a description. The others share their plans, and each has memory of its own for the states.
 */
#ifndef POSSE_ABREAST_DEVICE_LIBRARY_H
#define POSSE_ABREAST_DEVICE_LIBRARY_H

#include "abreast/device/notes.h"

/* Memory for the plans of a competitor, in bytes. */
#define LIBRARY_MEMORY ((size_t)32 << 20)

/* A competitor that has been made. The pointers are to memory of the device. */
typedef struct library_form {
    void *player, *environment;
    size_t state_size;   /* bytes that a thread needs for states and streams, which every round reads and writes */
    size_t account_size; /* bytes that it needs for its account of the run, of which a round touches little */
    int32_t error;       /* a posse_error; the rest is valid only without one */
} library_form;

#if defined(__CUDACC__)
#define LIBRARY extern "C" __device__
#else
#define LIBRARY
#endif

/* memory: LIBRARY_MEMORY bytes, which are in use as long as the form is. */
LIBRARY void library_open(const device_plan *p, const device_competitor *c, void *memory, library_form *out);

/*
 * Plays a run. states, account: as many bytes as the form says, aligned to 16. False: the run was halted or failed. The
 * thread must then end, because the other threads of its warp wait for it (base/lockstep.h).
 */
LIBRARY bool library_play(const device_plan *p, const device_competitor *c, const library_form *form, void *states,
                          void *account, const noted_run *r, const volatile uint32_t *halt, device_failure *failure);

#endif
