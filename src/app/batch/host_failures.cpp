#include "host_failures.hpp"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <iterator>
#include <string_view>

#include <fmt/format.h>

namespace gsim::app {
namespace {

bool is_of_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_';
}

/// Whether a line has `name` as a word: not as a part of another name, or of "w1.domain".
bool has_name(std::string_view line, const std::string& name) {
  for (std::size_t at = line.find(name); at != line.npos; at = line.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    const bool begins = at == 0 || (!is_of_name(line[at - 1]) && line[at - 1] != '.');
    const bool goes_on = end < line.size() &&
                         (is_of_name(line[end]) ||
                          (line[end] == '.' && end + 1 < line.size() && is_of_name(line[end + 1])));
    if (begins && !goes_on) return true;
  }
  return false;
}

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

bool is_zombie(long pid) {
  const std::string stat = contents(fmt::format("/proc/{}/stat", pid));  // "7 (ssh) Z 1 …"
  const std::size_t name_end = stat.rfind(')');
  return name_end != stat.npos && stat.substr(name_end, 4) == ") Z ";
}

/// The number of the host to which a process of Hydra, or its ssh, belongs; -1: to none.
long proxy_number(long pid) {
  const std::string words = contents(fmt::format("/proc/{}/cmdline", pid));
  constexpr std::string_view option("--proxy-id\0", 11);
  const std::size_t at = words.rfind(option);
  return at == words.npos ? -1 : std::atol(words.c_str() + at + option.size());
}

}  // namespace

std::vector<std::size_t> hosts_in_messages(const std::string& log, std::uintmax_t begin,
                                           const std::vector<std::string>& hosts) {
  std::vector<bool> is_named(hosts.size());
  std::ifstream file(log);
  file.seekg(static_cast<std::streamoff>(begin));
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("[mpiexec@") || line.starts_with("[proxy:")) continue;
    for (std::size_t h = 0; h < hosts.size(); ++h)
      is_named[h] = is_named[h] || has_name(line, hosts[h]);
  }
  std::vector<std::size_t> named;
  for (std::size_t h = 0; h < hosts.size(); ++h)
    if (is_named[h]) named.push_back(h);
  if (named.size() == hosts.size() && hosts.size() > 1) named.clear();
  return named;
}

std::vector<std::size_t> hosts_without_connection(pid_t launcher, std::size_t hosts) {
  std::ifstream children(fmt::format("/proc/{}/task/{}/children", launcher, launcher));
  bool has_ended = false;
  std::vector<bool> is_connected(hosts);
  for (long pid = 0; children >> pid;) {
    has_ended = has_ended || is_zombie(pid);
    const long number = proxy_number(pid);
    if (number >= 0 && number < static_cast<long>(hosts))
      is_connected[static_cast<std::size_t>(number)] = true;
  }
  std::vector<std::size_t> lost;
  for (std::size_t h = 0; h < hosts && has_ended; ++h)
    if (!is_connected[h]) lost.push_back(h);
  return lost;
}

std::optional<std::size_t> FailedStarts::add(const std::vector<std::size_t>& hosts) {
  constexpr int most_failed_starts = 2;
  for (const std::size_t host : hosts) ++failed_[host];
  std::size_t worst = hosts.front();
  for (const std::size_t host : hosts) {
    const int more = failed_[host] - failed_[worst];
    if (more > 0 || (more == 0 && !has_worked_.contains(host))) worst = host;
  }
  if (failed_[worst] < most_failed_starts) return std::nullopt;
  for (const std::size_t host : hosts) failed_[host] = 0;
  return worst;
}

void FailedStarts::note_start(std::size_t host) {
  failed_[host] = 0;
  has_worked_.insert(host);
}

}  // namespace gsim::app
