/* SPDX-License-Identifier: MIT */
/*
 * The kernels in whose threads the library plays. They are linked with the library, which LLVM has compiled for a GPU,
 * to an image (cmake/cuda.cmake), which cuda.cu loads.
 */
#define LANES 1
#include "abreast/device/library.h"

#include "abreast/device/kernels.h"

extern "C" __global__ void open_library(const __grid_constant__ device_plan p,
                                        const __grid_constant__ device_competitor c, void *memory, library_form *out) {
    library_open(&p, &c, memory, out);
}

/* Each thread plays a run, and then the next one that is left. */
extern "C" __global__ void __launch_bounds__(GUESTS, GUESTS_AT_ONCE / GUESTS)
    play_by_library(const __grid_constant__ device_plan p, const __grid_constant__ device_competitor c,
                    const __grid_constant__ assignment a, const __grid_constant__ library_form form, char *places,
                    device_failure *failure) {
    const uint32_t thread = blockIdx.x * GUESTS + threadIdx.x;
    for (uint32_t i = thread; i < a.curves.runs && *a.halt == 0; i += gridDim.x * GUESTS) {
        const noted_run r = noted(&p, &c, &a, i);
        library_play(&p, &c, &form, places + thread * form.place_size, &r, a.halt, failure);
    }
}
