#include "plugin_name.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

#include <fmt/format.h>

#include "gsim/config/section.hpp"
#include "gsim/engine/driver.hpp"

namespace gsim::app {
namespace {

/// Lower-case words that cannot be names: keywords of C++20, and keywords of other dialects and
/// macros that compilers define.
constexpr std::string_view cpp_keywords[] = {
    "alignas",      "alignof",      "and",           "and_eq",
    "asm",          "auto",         "bitand",        "bitor",
    "bool",         "break",        "case",          "catch",
    "char",         "char8_t",      "char16_t",      "char32_t",
    "class",        "co_await",     "co_return",     "co_yield",
    "compl",        "concept",      "const",         "const_cast",
    "consteval",    "constexpr",    "constinit",     "continue",
    "decltype",     "default",      "delete",        "do",
    "double",       "dynamic_cast", "else",          "enum",
    "explicit",     "export",       "extern",        "false",
    "final",        "float",        "for",           "friend",
    "goto",         "if",           "import",        "inline",
    "int",          "linux",        "long",          "module",
    "mutable",      "namespace",    "new",           "noexcept",
    "not",          "not_eq",       "nullptr",       "operator",
    "or",           "or_eq",        "override",      "private",
    "protected",    "public",       "register",      "reinterpret_cast",
    "requires",     "return",       "short",         "signed",
    "sizeof",       "static",       "static_assert", "static_cast",
    "struct",       "switch",       "template",      "this",
    "thread_local", "throw",        "true",          "try",
    "typedef",      "typeid",       "typename",      "union",
    "unix",         "unsigned",     "using",         "virtual",
    "void",         "volatile",     "wchar_t",       "while",
    "xor",          "xor_eq"};

/// Target names that CMake reserves (policy CMP0037, and those of generators).
constexpr std::string_view reserved_cmake_targets[] = {"all",
                                                       "clean",
                                                       "codegen",
                                                       "default",
                                                       "depend",
                                                       "edit_cache",
                                                       "help",
                                                       "install",
                                                       "list_install_components",
                                                       "none",
                                                       "package",
                                                       "preinstall",
                                                       "package_source",
                                                       "rebuild_cache",
                                                       "test"};

/// Namespaces that the code of plugins uses.
constexpr std::string_view used_namespaces[] = {"gsim", "std"};

template <std::size_t n>
bool is_among(const std::string_view (&words)[n], const std::string& name) {
  return std::find(std::begin(words), std::end(words), name) != std::end(words);
}

bool is_identifier(const std::string& name) {
  return !name.empty() && name.front() >= 'a' && name.front() <= 'z' &&
         std::all_of(name.begin(), name.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
         });
}

/// Whether the engine has a key or table of that name.
bool is_key_of_engine(const std::string& name) {
  const std::string schema = "\n" + schema_text([](Section& top) {
                               RunOptions options;
                               options.describe(top);
                             });
  return schema.find("\n" + name + " ") != std::string::npos ||
         schema.find("\n[" + name + "]") != std::string::npos;
}

/// Whether `name` is already a choice of the key `key` of `module`.
bool is_choice_of(const Registry& registry, const std::string& module, const char* key,
                  const std::string& name) {
  const auto instance = registry.find(module).factory(registry);
  const std::string schema = schema_text([&](Section& top) { instance->describe(top); });
  return schema.find(fmt::format("with {} = \"{}\":", key, name)) != std::string::npos;
}

std::string name_conflict(const std::string& kind, const std::string& name,
                          const Registry& registry) {
  for (const Registry::Entry& entry : registry.entries())
    if (entry.name == name) return "is the name of an existing module";
  if ((kind == "module" || kind == "grid" || kind == "particles") &&
      (is_key_of_engine(name) || name == "grid"))
    return "is a key of every configuration";
  if ((kind == "payoff" && is_choice_of(registry, "pricing", "product", name)) ||
      (kind == "potential" && is_choice_of(registry, "md", "kind", name)) ||
      (kind == "source" && is_choice_of(registry, "transport", "kind", name)))
    return fmt::format("is the name of an existing {}", kind == "payoff" ? "product" : "kind");
  return {};
}

}  // namespace

std::string name_problem(const std::string& kind, const std::string& name,
                         const Registry& registry) {
  if (!is_identifier(name))
    return "must consist of small letters, digits and _, and begin with a letter";
  if (name.ends_with('_') || name.find("__") != std::string::npos)
    return "ends in _ or contains __, which C++ reserves";
  if (is_among(cpp_keywords, name)) return "is a keyword of C++";
  if (is_among(used_namespaces, name)) return "is a namespace that its code uses";
  if (is_among(reserved_cmake_targets, name)) return "is a target that CMake reserves";
  return name_conflict(kind, name, registry);
}

}  // namespace gsim::app
