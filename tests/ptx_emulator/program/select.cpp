// Opcodes and the families that implement them.

#include <unordered_map>

#include "program/families.hpp"

namespace ptxemu {

namespace {
using Select = void (*)(Lowering&);

/// The family of an opcode; null if it is not implemented.
Select family_of(const std::string& opcode) {
  static const std::unordered_map<std::string, Select> families{{"add", select_integer},
                                                                {"sub", select_integer},
                                                                {"mul", select_integer},
                                                                {"mad", select_integer},
                                                                {"mul24", select_integer},
                                                                {"mad24", select_integer},
                                                                {"div", select_integer},
                                                                {"rem", select_integer},
                                                                {"abs", select_integer},
                                                                {"neg", select_integer},
                                                                {"min", select_integer},
                                                                {"max", select_integer},
                                                                {"sad", select_integer},
                                                                {"dp4a", select_integer},
                                                                {"dp2a", select_integer},
                                                                {"addc", select_carry},
                                                                {"subc", select_carry},
                                                                {"madc", select_carry},
                                                                {"and", select_bits},
                                                                {"or", select_bits},
                                                                {"xor", select_bits},
                                                                {"not", select_bits},
                                                                {"cnot", select_bits},
                                                                {"shl", select_bits},
                                                                {"shr", select_bits},
                                                                {"shf", select_bits},
                                                                {"lop3", select_bits},
                                                                {"prmt", select_bits},
                                                                {"bfe", select_bits},
                                                                {"bfi", select_bits},
                                                                {"bfind", select_bits},
                                                                {"bmsk", select_bits},
                                                                {"popc", select_bits},
                                                                {"clz", select_bits},
                                                                {"brev", select_bits},
                                                                {"szext", select_bits},
                                                                {"fns", select_bits},
                                                                {"fma", select_float},
                                                                {"copysign", select_float},
                                                                {"testp", select_float},
                                                                {"rcp", select_float},
                                                                {"sqrt", select_float},
                                                                {"rsqrt", select_float},
                                                                {"sin", select_approx},
                                                                {"cos", select_approx},
                                                                {"lg2", select_approx},
                                                                {"ex2", select_approx},
                                                                {"tanh", select_approx},
                                                                {"setp", select_compare},
                                                                {"set", select_compare},
                                                                {"selp", select_compare},
                                                                {"slct", select_compare},
                                                                {"cvt", select_convert},
                                                                {"mov", select_move},
                                                                {"cvta", select_move},
                                                                {"isspacep", select_move},
                                                                {"ld", select_memory},
                                                                {"ldu", select_memory},
                                                                {"st", select_memory},
                                                                {"prefetch", select_memory},
                                                                {"prefetchu", select_memory},
                                                                {"atom", select_atomic},
                                                                {"red", select_atomic},
                                                                {"shfl", select_warp},
                                                                {"vote", select_warp},
                                                                {"match", select_warp},
                                                                {"redux", select_warp},
                                                                {"elect", select_warp},
                                                                {"activemask", select_warp},
                                                                {"bra", select_control},
                                                                {"brx", select_control},
                                                                {"call", select_control},
                                                                {"ret", select_control},
                                                                {"exit", select_control},
                                                                {"trap", select_control},
                                                                {"brkpt", select_control},
                                                                {"bar", select_control},
                                                                {"barrier", select_control},
                                                                {"membar", select_control},
                                                                {"fence", select_control},
                                                                {"nanosleep", select_control},
                                                                {"griddepcontrol", select_control},
                                                                {"cp", select_copy}};
  const auto found = families.find(opcode);
  return found == families.end() ? nullptr : found->second;
}
}  // namespace

void select_handler(Lowering& in) {
  if (const Select select = family_of(in.instruction().opcode)) select(in);
}

bool overwrites_first_operand(const Instruction& in) {
  const Select select = family_of(in.opcode);
  for (const Select family :
       {select_integer, select_bits, select_carry, select_float, select_approx, select_compare,
        select_convert, select_move, select_warp})
    if (select == family) return true;
  return in.opcode == "ld" || in.opcode == "ldu" || in.opcode == "atom";
}

}  // namespace ptxemu
