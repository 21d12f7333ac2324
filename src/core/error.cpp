#include "gsim/core/error.hpp"

#include <fmt/format.h>

namespace gsim::contract {

void broken_contract(const char* kind, const char* condition, const char* file, int line) {
  throw Error(fmt::format("internal error: {} `{}` failed at {}:{}; please report it", kind,
                          condition, file, line));
}

void invalid(const std::string& problem, const std::string& suggestion) {
  throw InputError(suggestion.empty() ? problem : fmt::format("{}; {}", problem, suggestion));
}

}  // namespace gsim::contract
