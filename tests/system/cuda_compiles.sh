#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# nvcc compiles posse_cuda.so, which exports one symbol, and neither the library nor the program depends on CUDA. Where
# nvcc is missing, or the build does without it, this test is skipped.
. "$(dirname "$0")/scripting.sh"

for file in "$build_dir/posse" "$build_dir/libposse.so"; do
    ! objdump -p "$file" | grep -q "NEEDED.*cuda" || die "$file depends on CUDA"
done
cmake --build "$build_dir" --target help | grep -w posse_cuda >"$scratch/targets.txt" ||
    { echo "skipped: nvcc is missing, or POSSE_CUDA is off"; exit 77; }
quietly cmake --build "$build_dir" --target posse_cuda
exported=$(nm -D --defined-only "$build_dir/posse_cuda.so" | awk '{print $3}' | grep -v '^_\(init\|fini\)$' || true)
[ "$exported" = posse_device_ops ] || die "posse_cuda.so exports: $exported"

# Where the library is in it: arms are ruled out two products to an instruction, and warps wait for their threads.
if [ -f "$build_dir/cuda/library.ptx" ]; then
    grep -q "dp2a.lo.s32.u32" "$build_dir/cuda/library.ptx" || die "sketches are not summed by dp2a"
    grep -q "bar.warp.sync" "$build_dir/cuda/library.ptx" || die "threads of a warp do not wait for one another"
fi
