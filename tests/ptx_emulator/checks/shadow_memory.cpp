#include "checks/shadow_memory.hpp"

namespace ptxemu {

Cell::Cell(const Cell& other) : write(other.write), read(other.read) {
  if (other.more_reads != nullptr)
    more_reads = std::make_unique<std::vector<Access>>(*other.more_reads);
}

void ShadowMemory::split_to_bytes(Page& page) {
  std::vector<Cell> bytes;
  bytes.reserve(page_size);
  for (const Cell& word : page.cells)
    for (int n = 0; n < 4; ++n) bytes.emplace_back(word);
  page.cells = std::move(bytes);
  page.bytes = true;
}

ShadowMemory::Range ShadowMemory::cells(std::uint64_t address, int size) {
  const std::uint64_t number = address / page_size;
  if (number != last_number_) {
    last_page_ = &pages_[number];
    last_number_ = number;
    if (last_page_->cells.empty()) last_page_->cells = std::vector<Cell>(page_size / 4);
  }
  Page& page = *last_page_;
  if (size < 4 && !page.bytes) split_to_bytes(page);
  const std::uint64_t offset = address % page_size;
  if (page.bytes) return {&page.cells[offset], size};
  return {&page.cells[offset / 4], size / 4};
}

}  // namespace ptxemu
