// The plugin loader within one process. Loading by the command line is tested in
// tests/plugin/plugin_loading.py.

#include "gsim/engine/plugin_loader.hpp"

#include <cstdlib>

#include <doctest/doctest.h>

#include "gsim/core/digest.hpp"
#include "gsim/random/plugin_purpose.hpp"

using namespace gsim;

TEST_CASE("plugin loader: different files under the same name on two ranks are refused") {
  Registry registry;
  PluginLoader loader(registry);
  constexpr std::uint64_t digest_on_another_rank = 1;  // differs from that of the file
  CHECK_THROWS_WITH_AS(loader.load(GSIM_TEST_PLUGIN, digest_on_another_rank),
                       doctest::Contains("is not the same file on all ranks"), InputError);
  CHECK(registry.entries().empty());
  CHECK(loader.plugins().empty());
}

TEST_CASE("plugin loader: a plugin registers its module, and is loaded only once") {
  Registry registry;
  PluginLoader loader(registry);
  const Plugin plugin = loader.load(GSIM_TEST_PLUGIN);
  CHECK(plugin.name == "probe");
  CHECK(plugin.adds == std::vector<std::string>{"module probe"});
  CHECK(registry.find("probe").plugin == "probe");
  CHECK(registry.find("probe").factory(registry) != nullptr);
  Registry other_registry;
  PluginLoader other_rank(other_registry);  // in this process, as in other tests of several ranks
  CHECK(other_rank.load(GSIM_TEST_PLUGIN, plugin.digest).digest == plugin.digest);
  CHECK(loader.load(GSIM_TEST_PLUGIN).path == plugin.path);
  CHECK(loader.plugins().size() == 1);
}

TEST_CASE("plugin loader: the purposes of random numbers of plugins are in a range of their own") {
  constexpr auto first = static_cast<std::uint32_t>(Purpose::first_plugin_purpose);
  for (const char* name : {"heat", "ising", "", "a plugin with a long name"}) {
    for (std::uint32_t use = 0; use < 16; ++use) {
      const auto p = static_cast<std::uint32_t>(plugin_purpose(name, use));
      CHECK(p >= first);
      CHECK(p < 0x10000);
      CHECK(p % 16 == use);
    }
  }
  // FNV-1a: offset basis for the empty text, 0xe40c292c for "a" (test vectors of its authors).
  CHECK(plugin_purpose("", 0) ==
        static_cast<Purpose>(first + ((0x811c9dc5u ^ 0x811cu) & 0x7ff) * 16));
  CHECK(plugin_purpose("a", 3) ==
        static_cast<Purpose>(first + ((0xe40c292cu ^ 0xe40cu) & 0x7ff) * 16 + 3));
  CHECK_THROWS(plugin_purpose("heat", 16));
}
