#include "guarded_module.hpp"

#include <new>
#include <set>
#include <utility>

#include <cxxabi.h>
#include <fmt/format.h>

#include "gsim/core/misuse.hpp"
#include "gsim/core/text.hpp"

namespace gsim::engine {
namespace {

/// Name of the type of the exception that is being handled: "std::out_of_range".
std::string exception_type() {
  const std::type_info* type = abi::__cxa_current_exception_type();
  if (type == nullptr) return "unknown";
  int status = 0;
  char* text = abi::__cxa_demangle(type->name(), nullptr, nullptr, &status);
  std::string name = status == 0 && text != nullptr ? text : type->name();
  std::free(text);  // NOLINT(cppcoreguidelines-no-malloc): it comes from malloc
  return name;
}

/// Throws `error` with `subject` in front of its message; it stays marked as agreed if it was.
template <class Kind>
[[noreturn]] void rethrow_naming(const std::string& subject, const char* when, const Kind& error) {
  Kind prefixed(fmt::format("{} failed {}: {}", subject, when, error.what()));
  if (error.is_agreed()) prefixed.mark_agreed();
  throw prefixed;
}

/// The plugin whose code runs.
struct GuardedPlugin {
  std::string name;            ///< "plugin `heat`"
  bool defines_module = true;  ///< if not, it extends a built-in module
};

/// Returns body(), with exceptions translated. `when` is used in messages: "while it advanced".
template <class Body>
auto guarded(const GuardedPlugin& plugin, const char* when, const Body& body) -> decltype(body()) {
  const std::string& subject = plugin.name;
  try {
    return body();
  } catch (const MisuseError& error) {
    rethrow_naming(subject, when, error);
  } catch (const NumericalError& error) {
    if (!plugin.defines_module) throw;
    rethrow_naming(subject, when, error);
  } catch (const Error&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& e) {
    throw Error(fmt::format("{} failed {}: {} ({})", subject, when,
                            escape_controls_by_line(e.what()), exception_type()));
  } catch (...) {
    throw Error(fmt::format("{} failed {}: it threw a {}, which has no message", subject, when,
                            exception_type()));
  }
}

class GuardedModule : public Module {
 public:
  GuardedModule(std::unique_ptr<Module> module, GuardedPlugin plugin)
      : module_(std::move(module)), plugin_(std::move(plugin)) {}

  void describe(Section& top) override {
    guard("while it read its configuration", [&] { module_->describe(top); });
  }
  void validate() override {
    guard("while it validated its configuration", [&] { module_->validate(); });
  }
  WorkPlan plan(const Context& context) override {
    return guard("while it planned", [&] { return module_->plan(context); });
  }
  std::vector<Drawing> draw(const Context& context) override {
    return guard("while it made its pictures", [&] { return module_->draw(context); });
  }
  std::uint64_t input_digest() const override {
    return guard("while it planned", [&] { return module_->input_digest(); });
  }
  void prepare() override {
    guard("while it made its first state", [&] { module_->prepare(); });
  }
  Index next_evaluation(Index done) const override {
    return guard("between steps", [&] { return module_->next_evaluation(done); });
  }
  void advance(Index first, Index count) override {
    guard("while it advanced", [&] { module_->advance(first, count); });
  }
  Evaluation evaluate(Index done) override {
    return guard("while it evaluated", [&] { return module_->evaluate(done); });
  }
  void update_estimates() override {
    guard("while it evaluated", [&] { module_->update_estimates(); });
  }
  std::string health() override {
    return guard("while it checked its health", [&] { return module_->health(); });
  }
  std::string abandon() override {
    return guard("after a fault", [&] { return module_->abandon(); });
  }
  bool has_valid_results() const override {
    return guard("after a fault", [&] { return module_->has_valid_results(); });
  }
  std::vector<Estimate> estimates() const override {
    return guard("while it returned its estimates", [&] { return module_->estimates(); });
  }
  void save(DatasetWriter& writer) const override {
    guard("while it saved its state", [&] { module_->save(writer); });
  }
  void restore(DatasetReader& reader) override {
    guard("while it restored its state", [&] { module_->restore(reader); });
  }
  std::string tighten_targets(bool was_evaluated) override {
    return guard("while it restored its state",
                 [&] { return module_->tighten_targets(was_evaluated); });
  }
  void write_results(DatasetWriter& writer) const override {
    guard("while it wrote its results", [&] { module_->write_results(writer); });
  }
  ReportTable report() const override {
    return guard("while it reported", [&] { return module_->report(); });
  }
  std::uint64_t digest() const override {
    return guard("while it computed its digest", [&] { return module_->digest(); });
  }

 private:
  template <class Body>
  auto guard(const char* when, const Body& body) const -> decltype(body()) {
    return guarded(plugin_, when, body);
  }
  std::unique_ptr<Module> module_;
  GuardedPlugin plugin_;
};

std::unique_ptr<Module> make_guarded(const Registry::Factory& make, const Registry& registry,
                                     const GuardedPlugin& plugin) {
  std::unique_ptr<Module> module =
      guarded(plugin, "while it made its module", [&] { return make(registry); });
  if (!module) throw Error(fmt::format("{} failed: it returned no module", plugin.name));
  return std::make_unique<GuardedModule>(std::move(module), plugin);
}

}  // namespace

Registry::Factory guard_factory(Registry::Factory make, const std::string& plugin) {
  return [make = std::move(make), subject = GuardedPlugin{fmt::format("plugin `{}`", plugin)}](
             const Registry& registry) { return make_guarded(make, registry, subject); };
}

Registry::Factory guard_extended(Registry::Factory make, const std::string& module) {
  return [make = std::move(make), module](const Registry& registry) {
    std::set<std::string> plugins;
    for (const Registry::Extension& e : registry.extensions())
      if (e.module == module && !e.plugin.empty()) plugins.insert(e.plugin);
    if (plugins.empty()) return make(registry);
    const bool is_single = plugins.size() == 1;
    return make_guarded(
        make, registry,
        {fmt::format("{}, with the parts of {} `{}`,", module, is_single ? "plugin" : "the plugins",
                     fmt::join(plugins, "`, `")),
         false});
  };
}

}  // namespace gsim::engine
