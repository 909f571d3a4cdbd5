/* SPDX-License-Identifier: MIT */
/*
 * The usage of this process, as /proc has them.
 */
#ifndef SERVE_USAGE_H
#define SERVE_USAGE_H

/* NaN: unknown. */
typedef struct usage {
    double cpu_seconds;    /* of all threads, in user and system mode */
    double resident_bytes; /* memory that is in use */
    double start_time;     /* seconds since 1970 */
    double open_files, files_max;
} usage;

usage usage_look(void);

#endif
