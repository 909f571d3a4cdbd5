/* SPDX-License-Identifier: MIT */
/*
 * What this machine has.
 */
#ifndef POSSE_COMMON_MACHINE_H
#define POSSE_COMMON_MACHINE_H

#include <stddef.h>

/* Bytes of memory of the machine, or of the container or systemd unit that limits this process; SIZE_MAX: not known. */
size_t machine_memory(void);

/*
 * The smallest limit on memory among the control groups of a process; SIZE_MAX: there is none. own: a file as
 * /proc/self/cgroup, with the path of the group. root: where the groups are, as /sys/fs/cgroup.
 */
size_t machine_group_memory(const char *root, const char *own);

#endif
