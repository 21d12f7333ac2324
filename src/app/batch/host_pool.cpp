#include "host_pool.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <numeric>
#include <sstream>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "gsim/core/text.hpp"

namespace gsim::app {

std::vector<Host> read_host_file(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw InputError(fmt::format("cannot read the host file {}", path));
  std::vector<Host> hosts;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line.substr(0, line.find('#')));
    std::string word;
    if (!(words >> word)) continue;
    const std::size_t colon = word.find(':');
    Host host{word.substr(0, colon), 1};
    if (colon != word.npos) host.cores = std::atol(word.c_str() + colon + 1);
    if (host.name.empty() || host.cores < 1)
      throw InputError(fmt::format("{}: `{}` is not NAME:PROCESSORS", path, excerpt(word)));
    hosts.push_back(host);
  }
  if (hosts.empty()) throw InputError(fmt::format("the host file {} holds no host", path));
  return hosts;
}

HostPool::HostPool(std::vector<Host> hosts)
    : hosts_(std::move(hosts)), is_out_(hosts_.size(), false) {
  for (const Host& host : hosts_) free_.push_back(host.cores);
}

bool HostPool::fits(Index ranks, Index threads) const {
  Index places = 0;
  for (std::size_t h = 0; h < free_.size(); ++h)
    if (!is_out_[h]) places += std::max<Index>(free_[h], 0) / threads;
  return places >= ranks;
}

bool HostPool::are_all_out() const {
  return !is_out_.empty() && std::find(is_out_.begin(), is_out_.end(), false) == is_out_.end();
}

Placement HostPool::take(Index ranks, Index threads) {
  std::vector<std::size_t> order(hosts_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::erase_if(order, [&](std::size_t h) { return is_out_[h]; });
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return free_[a] > free_[b]; });
  // The fullest host on which all ranks fit.
  const auto only = std::find_if(order.rbegin(), order.rend(),
                                 [&](std::size_t h) { return free_[h] >= ranks * threads; });
  Placement placement;
  if (only != order.rend()) {
    placement = {{*only, ranks}};
  } else {
    std::vector<Index> placed(hosts_.size());
    for (const std::size_t h : order) {
      placed[h] = std::min(ranks, std::max<Index>(free_[h], 0) / threads);
      ranks -= placed[h];
    }
    for (std::size_t i = 0; ranks > 0; --ranks, i = (i + 1) % order.size()) ++placed[order[i]];
    for (std::size_t h = 0; h < placed.size(); ++h)
      if (placed[h] > 0) placement.emplace_back(h, placed[h]);
  }
  for (const auto& [host, count] : placement) free_[host] -= count * threads;
  return placement;
}

void HostPool::give_back(const Placement& placement, Index threads) {
  for (const auto& [host, count] : placement) free_[host] += count * threads;
}

std::string HostPool::text(const Placement& placement) const {
  std::string list;
  for (const auto& [host, count] : placement)
    list += fmt::format("{}{}:{}", list.empty() ? "" : ",", hosts_[host].name, count);
  return list;
}

}  // namespace gsim::app
