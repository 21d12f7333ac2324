#include "failure_record.hpp"

#include <exception>
#include <fstream>
#include <iterator>
#include <string_view>

#include <fmt/format.h>
#include <unistd.h>

#include "gsim/core/host_name.hpp"
#include "gsim/core/prometheus_text.hpp"
#include "gsim/io/replace_file.hpp"

namespace gsim::app {
namespace {

std::string status_file, owner_of_file;  // empty: no run

}  // namespace

void watch_status_file(const Communicator& communicator, const StatusOptions& options) {
  const std::string mine =
      fmt::format("host=\"{}\",pid=\"{}\"", escape_label(host_name()), ::getpid());
  owner_of_file = communicator.broadcast(mine);
  status_file = options.is_enabled ? options.file : std::string();
}

void forget_status_file() { status_file.clear(); }

std::string failed_status(const std::string& text, const std::string& owner,
                          const std::string& message, double now) {
  std::string changed, run;
  bool is_running = false, is_owned = false;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string line = text.substr(begin, end - begin);
    begin = end + 1;
    const std::string before_value = line.substr(0, line.rfind(' ') + 1);
    if (line.starts_with("gsim_run_info{")) is_owned = line.find(owner) != std::string::npos;
    if (line.starts_with("gsim_run_state{")) {
      run =
          line.substr(0, line.rfind(",state=")).substr(std::string_view("gsim_run_state{").size());
      is_running = is_running || line.ends_with("state=\"running\"} 1");
      const bool is_failed = line.find(",state=\"failed\"}") != std::string::npos;
      line = before_value + (is_failed ? "1" : "0");
    }
    if (line.starts_with("gsim_run_update_time_seconds{"))
      line = before_value + fmt::format("{}", now);
    changed += line + '\n';
  }
  if (!is_running || !is_owned) return text;
  return changed + fmt::format(
                       "# HELP gsim_run_failure_info Why the run failed; always 1.\n"
                       "# TYPE gsim_run_failure_info gauge\n"
                       "gsim_run_failure_info{{{},message=\"{}\"}} 1\n",
                       run, escape_label(message));
}

void record_failure(const std::string& message) noexcept {
  if (status_file.empty()) return;
  try {
    std::ifstream file(status_file, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const std::string changed = failed_status(text, owner_of_file, message, unix_time());
    if (changed != text) replace_file(status_file, changed);
  } catch (const std::exception&) {
    // The file then says running, and `gsim status` that the process is gone.
  }
  status_file.clear();
}

}  // namespace gsim::app
