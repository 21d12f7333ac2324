#pragma once
// gsim's elementary functions: f<Policy>(x) for x a scalar or a pack of float or double.
//   exp exp_bounded exp2 expm1   log log_unit log2 log1p   sin cos sincos sincospi sincos_2pi
//   erf erfc normal_cdf normal_inverse   tanh   pow   atan atan2 (atan.hpp)
// Strict: branch-free IEEE 754 operations with explicit fma, at most 2 ulp from the truth over the
// whole range, special values as IEEE 754 and C99 Annex F have them (NaN always canonical), and the
// same bits at every pack width, on every CPU, with every compiler, and on CUDA.
// Fast: exp, log, their bounded forms, sincos_2pi, normal_inverse (host and CUDA) and float sincos
// (CUDA) use shorter polynomials or hardware approximations and take no special values; each file
// states the error. All other functions are the same in both.

#include "gsim/math/erf.hpp"
#include "gsim/math/exp.hpp"
#include "gsim/math/hyperbolic.hpp"
#include "gsim/math/log.hpp"
#include "gsim/math/normal_inverse.hpp"
#include "gsim/math/pow.hpp"
#include "gsim/math/trig.hpp"
