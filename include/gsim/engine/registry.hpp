#pragma once
// The modules by name, and the parts that extend them. The application fills a registry; there is
// no global one.

#include <concepts>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "gsim/engine/module.hpp"

namespace gsim {

class Registry {
 public:
  /// A function that makes a module. It has no argument, or the registry, whose parts the module
  /// may use as long as the registry exists.
  class Factory {
   public:
    Factory() = default;
    template <std::invocable F>
    Factory(F make)  // NOLINT(google-explicit-constructor): implicit on purpose
        : make_([make = std::move(make)](const Registry&) { return make(); }) {}
    template <std::invocable<const Registry&> F>
    Factory(F make) : make_(std::move(make)) {}  // NOLINT(google-explicit-constructor)
    std::unique_ptr<Module> operator()(const Registry& registry) const { return make_(registry); }

   private:
    std::function<std::unique_ptr<Module>(const Registry&)> make_;
  };

  struct Entry {
    std::string name;
    std::string doc;  ///< one line for `gsim modules` and `gsim info`
    Factory factory;
    /// A whole configuration that runs within seconds: what `gsim plugin check` runs.
    std::string example = {};
    std::string plugin = {};  ///< its plugin, set by the loader; empty: built-in
  };
  /// A duplicate name is an InputError.
  void add(Entry entry);
  /// Replaces a module's factory by wrap(factory). InputError for an unknown name, as find().
  void wrap(std::string_view name, const std::function<Factory(Factory)>& wrap);
  /// An unknown name is an InputError with the nearest known one.
  const Entry& find(std::string_view name) const;
  const std::vector<Entry>& entries() const { return entries_; }

  /// A part of a module: a pair potential, a payoff, a score.
  struct Extension {
    std::string kind;     ///< "pair potential"
    std::string module;   ///< module that uses it: "md"
    std::string name;     ///< name in configurations
    std::string doc;      ///< one line
    std::string example;  ///< as Entry::example
    std::string plugin = {};
    std::shared_ptr<const void> object = {};  ///< a T with T::extends == kind
    /// A description of a function that is required and was not given; null where it is complete.
    /// The loader refuses incomplete parts of plugins. A built-in part may be incomplete: it then
    /// only reserves its name.
    const char* missing = nullptr;
  };
  /// Adds a part of type T, built-in or of a plugin. T has `static constexpr char extends[]`, the
  /// unique name of its kind; members module (possibly static), name, doc and example; and, if some
  /// of its functions are required, `const char* missing() const` (Extension::missing). InputError
  /// if another part of the same kind has this name.
  template <class T>
  void extend(T part) {
    Extension e{T::extends, std::string(part.module), std::string(part.name), std::string(part.doc),
                std::string(part.example)};
    if constexpr (requires { part.missing(); }) e.missing = part.missing();
    e.object = std::make_shared<const T>(std::move(part));
    extend(std::move(e));
  }
  void extend(Extension extension);
  const std::vector<Extension>& extensions() const { return extensions_; }
  /// A copy of this registry without the extensions for which `lacks(extension)` is true.
  template <class Lacks>
  Registry without(const Lacks& lacks) const {
    Registry rest;
    rest.entries_ = entries_;
    for (const Extension& e : extensions_)
      if (!lacks(e)) rest.extensions_.push_back(e);
    return rest;
  }
  /// All extensions that are a T, in the order in which they were registered: gsim's own before
  /// those of plugins. The pointers are valid as long as a copy of this registry lives.
  template <class T>
  std::vector<const T*> all() const {
    std::vector<const T*> found;
    for (const Extension& e : extensions_)
      if (e.kind == T::extends) found.push_back(static_cast<const T*>(e.object.get()));
    return found;
  }

 private:
  std::vector<Entry> entries_;
  std::vector<Extension> extensions_;
};

}  // namespace gsim
