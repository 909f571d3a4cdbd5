#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Fits the polynomials of lib/numeric (elementary_wide.h, elementary.c) by Remez exchange and prints them in C.

    fit_elementary.py            needs python3-mpmath

Each fit minimises the largest |weight(x) * (p(x) - f(x))| over an interval. Coefficients are rounded to double; the
error printed is that of the rounded polynomial, relative to the function it serves.
"""

from mpmath import mp, mpf, lu_solve, matrix, log, exp, loggamma, sqrt, pi, cos, taylor

mp.dps = 60


def remez(f, weight, low, high, degree):
    """The coefficients, constant first, of the best polynomial of that degree."""
    n = degree + 2
    points = [(low + high) / 2 - (high - low) / 2 * cos(pi * (i + mpf(1) / 2) / n) for i in range(n)]
    for _ in range(8):
        a = matrix(n, n)
        b = matrix(n, 1)
        for i, x in enumerate(points):
            for j in range(degree + 1):
                a[i, j] = x**j
            a[i, degree + 1] = (-1) ** i / weight(x)
            b[i] = f(x)
        p = lu_solve(a, b)[: degree + 1]
        points = extrema(lambda x: weight(x) * (evaluate(p, x) - f(x)), low, high, points)
    return p


def evaluate(p, x):
    y = mpf(0)
    for c in reversed(list(p)):
        y = y * x + c
    return y


def extrema(error, low, high, points):
    """One extremum of the error around each of the points, by walking a fine grid."""
    grid = 60 * len(points)
    x = [(low + high) / 2 - (high - low) / 2 * cos(pi * i / grid) for i in range(grid + 1)]
    e = [error(t) for t in x]
    runs = []
    for t, v in zip(x, e):
        if runs and (runs[-1][1] > 0) == (v > 0):
            if abs(v) > abs(runs[-1][1]):
                runs[-1] = (t, v)
        else:
            runs.append((t, v))
    return [t for t, _ in runs] if len(runs) == len(points) else points


def fit(name, f, weight, low, high, degree, error):
    p = [mpf(float(c)) for c in remez(f, weight, mpf(low), mpf(high), degree)]
    worst = max(abs(error(p, low + (high - low) * (mpf(i) + mpf(1) / 2) / 2000)) for i in range(2000))
    where = f"[{mp.nstr(low, 6)}, {mp.nstr(high, 6)}]"
    print(f"/* {name}: degree {degree} on {where}, error 2^{mp.nstr(log(worst, 2), 4)} */")
    for c in p:
        print(f"    {float(c)!r},")


def split_log2():
    """ln 2 as a part of 32 bits, whose products with exponents are exact, and the rest."""
    high = mp.floor(log(2) * 2**32) / mpf(2) ** 32
    print(f"/* ln 2 */ {float(high).hex()} {float(log(2) - high).hex()}")


def main():
    split_log2()
    # log((1 + s) / (1 - s)) = 2 s + s z p(z), z = s^2
    top = ((sqrt(2) - 1) / (sqrt(2) + 1)) ** 2 * mpf("1.0001")

    def of_log(z):
        return evaluate([mpf(2) / (2 * k + 3) for k in range(60)], z)

    fit("log", of_log, lambda z: z + mpf("1e-9"), mpf(0), top, 6, lambda p, z: z * (evaluate(p, z) - of_log(z)) / 2)

    # exp(r) = 1 + r + r^2 (1/2 + r p(r))
    half = log(2) / 2 * mpf("1.0001")

    def of_exp(r):
        return evaluate([1 / mp.factorial(k + 3) for k in range(40)], r)

    weight = lambda r: abs(r) ** 3 + mpf("1e-6")
    fit("exp", of_exp, weight, -half, half, 9, lambda p, r: r**3 * (evaluate(p, r) - of_exp(r)))

    # lgamma(2 + t) = t p(t)
    near_two = taylor(lambda t: loggamma(2 + t), 0, 12)[1:]

    def slope(t):
        return evaluate(near_two, t) if abs(t) < mpf("1e-4") else loggamma(2 + t) / t

    error = lambda p, t: evaluate(p, t) / slope(t) - 1
    fit("log_gamma near 2", slope, lambda t: 1 / slope(t), mpf(-0.5), mpf(0.5), 19, error)

    # lgamma(x) = (x - 1/2) (log x - 1) + (log(2 pi) - 1) / 2 + p(1 / x^2) / x
    def stirling(y):
        if y < mpf("1e-8"):
            return evaluate([mp.bernoulli(2 * k) / (2 * k * (2 * k - 1)) for k in range(1, 6)], y)
        x = 1 / sqrt(y)
        return x * (loggamma(x) - (x - mpf(1) / 2) * (log(x) - 1) - (log(2 * pi) - 1) / 2)

    error = lambda p, y: (evaluate(p, y) - stirling(y)) / 64
    fit("Stirling", stirling, lambda y: mpf(1), mpf(0), mpf(1) / 64, 6, error)
    print(f"/* (log(2 pi) - 1) / 2 */ {float((log(2 * pi) - 1) / 2)!r}")


main()
