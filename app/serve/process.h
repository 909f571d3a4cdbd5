/* SPDX-License-Identifier: MIT */
/*
 * Figures of this process, as /proc has them.
 */
#ifndef SERVE_PROCESS_H
#define SERVE_PROCESS_H

/* NaN: unknown. */
typedef struct process_figures {
    double cpu_seconds;    /* of all threads, in user and system mode */
    double resident_bytes; /* memory that is in use */
    double start_time;     /* seconds since 1970 */
    double open_files, files_max;
} process_figures;

process_figures process_look(void);

#endif
