#pragma once
// Runs one form of an instruction on many operands, with and without guards and divergence, and
// compares each result with a reference.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "oracle/exact.hpp"

namespace ptxemu::oracle {

using U64 = std::uint64_t;
using S64 = std::int64_t;

/// Operands of one thread, as the bits of registers a, b and c.
struct Operands {
  U64 a = 0, b = 0, c = 0;
};

/// An instruction on registers a, b, c that writes d. Types name the registers ("b32", "f64", …).
struct Form {
  std::string instruction;
  std::string a, b, c, d;
  Form(std::string text, std::string type_of_a, std::string type_of_b, std::string type_of_c,
       std::string type_of_d)
      : instruction(std::move(text)),
        a(std::move(type_of_a)),
        b(std::move(type_of_b)),
        c(std::move(type_of_c)),
        d(std::move(type_of_d)) {}
};

/// The expected bits of d; empty where PTX leaves the result undefined.
using Reference = std::function<std::optional<U64>(const Operands&)>;
/// Whether `result` is right, for results of which several are allowed.
using Predicate = std::function<bool(U64 result, const Operands&)>;

/// Checks the form by doctest assertions, once for all lanes and once where half of the lanes,
/// chosen at random, do not execute it: because of a guard, a negated guard or a branch.
void check(const Form& form, const Reference& reference);
void check_each(const Form& form, const Predicate& is_right);

/// The number of bits of a type such as "u32".
int bits_of(const std::string& type);
/// The value of the lowest bits of a register as an integer of a type such as "s16" or "u64".
__int128 value_of(U64 bits, const std::string& type);
/// The value without the bits from bit `bits` on.
U64 low_bits(U64 value, int bits);
/// The format of "f16", "bf16", "f32" or "f64".
Format format_of(const std::string& type);
inline bool is_signed(const std::string& type) { return type[0] == 's'; }

}  // namespace ptxemu::oracle
