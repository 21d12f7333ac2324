#pragma once
// The plugin interface: the fingerprint of a shared object, which is compared before any of its
// code runs, and the one C function that it exports. One source file of a plugin contains:
//
//   #include <gsim/engine/plugin.hpp>
//
//   GSIM_PLUGIN("heat", "1.0", "MIT", "heat conduction on a grid", [](gsim::Registry& registry) {
//     registry.add({"heat", "heat conduction on a grid", make_heat_module});
//   })
//
// The plugin is built by gsim_add_plugin() of gsim's CMake package, which sets the definitions
// below.

#include <version>

#include "gsim/core/types.hpp"
#include "gsim/engine/registry.hpp"

/// The return value of gsim_plugin_query(): plain data, whose layout does not change while `layout`
/// has the same value.
struct GsimPlugin {
  unsigned int layout;      ///< gsim_plugin_layout
  const char* fingerprint;  ///< GSIM_PLUGIN_FINGERPRINT
  const char* name;         ///< in messages and in /provenance
  const char* version;
  const char* licence;
  const char* doc;               ///< one line
  void (*add)(gsim::Registry&);  ///< registers its modules and parts
};
inline constexpr unsigned int gsim_plugin_layout = 1;

#define GSIM_TEXT_OF_(x) #x
#define GSIM_TEXT_(x) GSIM_TEXT_OF_(x)

#if defined(__clang__)
#define GSIM_COMPILER_ "Clang " GSIM_TEXT_(__clang_major__)
#elif defined(__GNUC__)
#define GSIM_COMPILER_ "GNU " GSIM_TEXT_(__GNUC__)
#else
#define GSIM_COMPILER_ "another"
#endif

#if defined(_GLIBCXX_RELEASE)
#define GSIM_LIBRARY_ "libstdc++ " GSIM_TEXT_(_GLIBCXX_RELEASE)
#define GSIM_STRINGS_ "cxx11=" GSIM_TEXT_(_GLIBCXX_USE_CXX11_ABI)
#elif defined(_LIBCPP_VERSION)
#define GSIM_LIBRARY_ "libc++ " GSIM_TEXT_(_LIBCPP_VERSION)
#define GSIM_STRINGS_ "abi=" GSIM_TEXT_(_LIBCPP_ABI_VERSION)
#else
#define GSIM_LIBRARY_ "another"
#define GSIM_STRINGS_ "another"
#endif
#if defined(_GLIBCXX_DEBUG)
#define GSIM_CONTAINERS_ "checked"
#else
#define GSIM_CONTAINERS_ "plain"
#endif

#if defined(__x86_64__)
#define GSIM_PROCESSOR_ "x86-64"
#elif defined(__aarch64__)
#define GSIM_PROCESSOR_ "aarch64"
#else
#define GSIM_PROCESSOR_ "another"
#endif

#if defined(__has_feature)  // Clang
#if __has_feature(address_sanitizer)
#define GSIM_HAS_ADDRESS_SANITIZER_
#elif __has_feature(thread_sanitizer)
#define GSIM_HAS_THREAD_SANITIZER_
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(GSIM_HAS_ADDRESS_SANITIZER_)
#define GSIM_SANITIZERS_ "address"
#elif defined(__SANITIZE_THREAD__) || defined(GSIM_HAS_THREAD_SANITIZER_)
#define GSIM_SANITIZERS_ "thread"
#else
#define GSIM_SANITIZERS_ "none"
#endif

#if defined(__FAST_MATH__)
#define GSIM_ARITHMETIC_ "fast-math"
#elif defined(GSIM_PLUGIN_ARITHMETIC)
#define GSIM_ARITHMETIC_ GSIM_PLUGIN_ARITHMETIC  // the build's: no predefined macro states it
#else
#define GSIM_ARITHMETIC_ "unknown"
#endif
#if !defined(GSIM_PLUGIN_SDK)
#define GSIM_PLUGIN_SDK "unknown"  // version, and digest of include/gsim
#endif
#if !defined(GSIM_PLUGIN_LEVELS)
#define GSIM_PLUGIN_LEVELS "unknown"  // CPU levels that kernels are compiled for
#endif
#if !defined(GSIM_PLUGIN_CUDA)
#define GSIM_PLUGIN_CUDA "none"  // version of the toolkit
#endif

/// Markers of the beginning and the end of the fingerprint in a file.
#define GSIM_PLUGIN_MARK "gsim plugin fingerprint\n"
#define GSIM_PLUGIN_MARK_END "end of fingerprint\n"

// clang-format off
#define GSIM_FIELD_(name, value) name "=" value "\n"
/// The properties in which a plugin and the gsim that loads it must agree, so that they can
/// exchange C++ types and produce the same bits: one line "field=value" for each. It is text, so
/// that it can be read from a file that cannot be loaded. Assertions are not part of it: they
/// change no type, and a debug build of a plugin may run in a released gsim.
#define GSIM_PLUGIN_FINGERPRINT                           \
  GSIM_PLUGIN_MARK                                        \
  GSIM_FIELD_("SDK", GSIM_PLUGIN_SDK)                     \
  GSIM_FIELD_("processor", GSIM_PROCESSOR_)               \
  GSIM_FIELD_("compiler", GSIM_COMPILER_)                 \
  GSIM_FIELD_("C++", GSIM_TEXT_(__cplusplus))             \
  GSIM_FIELD_("C++ ABI", GSIM_TEXT_(__GXX_ABI_VERSION))   \
  GSIM_FIELD_("standard library", GSIM_LIBRARY_)          \
  GSIM_FIELD_("strings", GSIM_STRINGS_)                   \
  GSIM_FIELD_("containers", GSIM_CONTAINERS_)             \
  GSIM_FIELD_("sanitizers", GSIM_SANITIZERS_)             \
  GSIM_FIELD_("real", "double")                           \
  GSIM_FIELD_("arithmetic", GSIM_ARITHMETIC_)             \
  GSIM_FIELD_("CPU levels", GSIM_PLUGIN_LEVELS)           \
  GSIM_FIELD_("CUDA", GSIM_PLUGIN_CUDA)                   \
  GSIM_PLUGIN_MARK_END
// clang-format on

/// The section of the shared object that holds the fingerprint and nothing else: gsim reads it from
/// the bytes of the file, before the dynamic linker runs any code of the plugin.
#define GSIM_PLUGIN_SECTION "gsim_plugin"

extern "C" const GsimPlugin* gsim_plugin_query();

/// Defines the plugin. NAME consists of letters, digits, - and _; the last argument is a function
/// of a Registry& that registers the plugin's modules and parts.
#define GSIM_PLUGIN(NAME, VERSION, LICENCE, DOC, ...)                                            \
  extern "C" __attribute__((visibility("default"))) const GsimPlugin* gsim_plugin_query() {      \
    __attribute__((used, section(GSIM_PLUGIN_SECTION))) static constexpr char fingerprint[] =    \
        GSIM_PLUGIN_FINGERPRINT;                                                                 \
    static const GsimPlugin plugin{gsim_plugin_layout, fingerprint, NAME, VERSION, LICENCE, DOC, \
                                   __VA_ARGS__};                                                 \
    return &plugin;                                                                              \
  }
