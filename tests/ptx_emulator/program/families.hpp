#pragma once
// Families of instructions: each function selects handlers for the opcodes that it is registered
// for.

#include "program/lowering.hpp"

namespace ptxemu {

/// Arithmetic whose opcodes integers and floating-point numbers share, such as add and min: integer
/// types without carries here; the others are passed on to select_carry() and select_float().
void select_integer(Lowering& in);
void select_bits(Lowering& in);     ///< logic, shifts, bit fields, permutations
void select_carry(Lowering& in);    ///< arithmetic with the carry flag
void select_float(Lowering& in);    ///< floating-point arithmetic
void select_approx(Lowering& in);   ///< approximate functions
void select_compare(Lowering& in);  ///< setp, set, selp, slct
void select_convert(Lowering& in);  ///< cvt
void select_move(Lowering& in);     ///< mov, cvta, isspacep
void select_memory(Lowering& in);   ///< ld, st and prefetches
void select_copy(Lowering& in);     ///< cp.async
void select_atomic(Lowering& in);   ///< atom, red
void select_warp(Lowering& in);     ///< shfl, vote, match, redux, elect, activemask
void select_control(Lowering& in);  ///< branches, calls, barriers, fences

/// Whether the first operand of an instruction is a result that it writes without reading it. False
/// for opcodes that are not implemented.
bool overwrites_first_operand(const Instruction& instruction);

}  // namespace ptxemu
