/* SPDX-License-Identifier: MIT */
/*
 * posse_cuda.so, loaded when an experiment asks for a GPU. So programs neither need it nor depend on CUDA.
 */
#ifndef POSSE_EXPERIMENT_PLAY_DEVICE_LIBRARY_H
#define POSSE_EXPERIMENT_PLAY_DEVICE_LIBRARY_H

#include <stddef.h>

/*
 * The operations of the device, for posse_device_create. The file is the one that the environment variable POSSE_CUDA
 * names; else it is beside the program or the Python module, or where it was installed. NULL: `why` has the reason.
 */
const void *device_library_load(char *why, size_t size);

#endif
