/* SPDX-License-Identifier: MIT */
/*
 * The instruction set that this file is compiled for: -DKERNEL_SET=scalar, baseline, avx2 or avx512 decides the number
 * of LANES, and PASTE(name_, KERNEL_SET) is the name of what the file defines.
 */
#ifndef POSSE_NUMERIC_KERNEL_SET_H
#define POSSE_NUMERIC_KERNEL_SET_H

#define SET_scalar 1
#define SET_baseline 2
#define SET_avx2 4
#define SET_avx512 8
#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)
#define STRING_(a) #a
#define STRING(a) STRING_(a)

#define LANES PASTE(SET_, KERNEL_SET)

#endif
