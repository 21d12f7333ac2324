#include <algorithm>

#include <doctest/doctest.h>

#include "gsim/engine/plugin.hpp"
#include "gsim/engine/plugin_loader.hpp"

using namespace gsim;

namespace {

std::vector<FingerprintField> with_value(std::vector<FingerprintField> fields,
                                         const std::string& name, const std::string& value) {
  for (FingerprintField& f : fields)
    if (f.name == name) f.value = value;
  return fields;
}

}  // namespace

TEST_CASE("plugin fingerprint: it is found among the bytes of a file") {
  const std::string text = GSIM_PLUGIN_MARK "a=1\nb=2=3\n" GSIM_PLUGIN_MARK_END;
  const std::vector<FingerprintField> fields{{"a", "1"}, {"b", "2=3"}};
  CHECK(fingerprint_in(text) == fields);
  CHECK(fingerprint_in(std::string("\x7f\0ELF", 5) + text + "rest") == fields);
  CHECK(fingerprint_in(GSIM_PLUGIN_MARK + std::string(5000, 'x') + text) == fields);
  CHECK(fingerprint_in(std::string(GSIM_PLUGIN_MARK) + '\0' + text) == fields);
  CHECK(fingerprint_in("").empty());
  CHECK(fingerprint_in(GSIM_PLUGIN_MARK "a=1\n").empty());
  CHECK(fingerprint_in(GSIM_PLUGIN_MARK "no field\n" GSIM_PLUGIN_MARK_END).empty());
}

TEST_CASE("plugin fingerprint: the fingerprint of this gsim has all fields") {
  const auto own = own_fingerprint();
  std::vector<std::string> names;
  for (const FingerprintField& f : own) {
    names.push_back(f.name);
    // plugin.hpp writes "another" for a compiler, library or processor that its macros do not name.
    CHECK_MESSAGE((!f.value.empty() && f.value != "unknown" && f.value != "another"), f.name);
  }
  CHECK(names == std::vector<std::string>{"SDK", "processor", "compiler", "C++", "C++ ABI",
                                          "standard library", "strings", "containers", "sanitizers",
                                          "real", "arithmetic", "CPU levels", "CUDA"});
}

TEST_CASE("plugin fingerprint: every field that differs is named, and no other") {
  const auto own = own_fingerprint();
  CHECK(differences(own, own).empty());
  for (const FingerprintField& f : own) {
    const auto lines = differences(with_value(own, f.name, "else"), own);
    REQUIRE(lines.size() == 1);
    CHECK(lines[0] == f.name + ": else, this gsim has " + f.value);
  }
  auto fewer = own;
  fewer.pop_back();
  CHECK(differences(fewer, own).at(0).starts_with("CUDA: not given by the plugin"));
  auto more = own;
  more.push_back({"colour", "red"});
  CHECK(differences(more, own).at(0) == "colour: red, which this gsim does not have");
}

TEST_CASE("plugin fingerprint: a plugin without GPU kernels is compatible with any gsim") {
  const auto own = with_value(own_fingerprint(), "CUDA", "13.0");
  CHECK(differences(with_value(own, "CUDA", "none"), own).empty());
  CHECK(differences(with_value(own, "CUDA", "12.4"), own).size() == 1);
  CHECK(differences(own, with_value(own, "CUDA", "none")).size() == 1);
}
