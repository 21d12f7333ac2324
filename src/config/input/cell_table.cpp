#include "gsim/config/cell_table.hpp"

#include "gsim/core/utf8.hpp"
#include "node.hpp"
#include "src/config/sections/reading.hpp"

namespace gsim {
using namespace config_detail;

namespace {

Place place_at(const Source& source, std::size_t offset, int length) {
  const int line = source.line_at(offset);
  const std::size_t start = source.line_start(line);
  const auto before = std::string_view(source.text()).substr(start, offset - start);
  return {&source, line, count_characters(line == 1 ? skip_byte_order_mark(before) : before) + 1,
          length};
}

}  // namespace

TextSource::TextSource(std::string name, std::string text)
    : source_(std::make_shared<const Source>(std::move(name), std::move(text))) {}

const std::string& TextSource::text() const { return source_->text(); }

SourceLocation TextSource::location(std::size_t offset, int length) const {
  return place_at(*source_, offset, length).location();
}

CellTable::CellTable(const TextPlace& at) : root_(std::make_shared<Node>()), table_(root_.get()) {
  root_->from_csv = true;
  root_->place = root_->key_place = place_at(*at.source->source_, at.offset, at.length);
}

CellTable::CellTable(std::shared_ptr<Node> root, Node* table)
    : root_(std::move(root)), table_(table) {}

CellTable::~CellTable() = default;
CellTable::CellTable(CellTable&&) noexcept = default;

void CellTable::set(std::string key, std::string value, const TextPlace& at) {
  Node& node = table_->add(std::move(key), Kind::cell);
  node.place = node.key_place = place_at(*at.source->source_, at.offset, at.length);
  node.text = std::move(value);
}

CellTable CellTable::table(const std::string& key, const TextPlace& at) {
  if (Node* found = table_->find(key)) return {root_, found};
  Node& node = table_->add(key, Kind::table);
  node.place = node.key_place = place_at(*at.source->source_, at.offset, at.length);
  return {root_, &node};
}

CellTable CellTable::append(const std::string& key, const TextPlace& at) {
  const Place place = place_at(*at.source->source_, at.offset, at.length);
  Node* list = table_->find(key);
  if (list == nullptr) {
    list = &table_->add(key, Kind::array);
    list->place = list->key_place = place;
  }
  Node& node = list->add(std::to_string(list->children.size()), Kind::table);
  node.place = node.key_place = place;
  return {root_, &node};
}

bool CellTable::has(std::string_view key) const { return table_->find(key) != nullptr; }

void CellTable::remove(std::string_view key) {
  std::erase_if(table_->children, [&](const auto& child) { return child->key == key; });
}

void CellTable::read(DateReader dates, const Section::Describe& describe) {
  Section inner(table_, nullptr);
  inner.read_dates_with(std::move(dates));
  describe(inner);
  refuse_unknown(*root_, describe);
}

}  // namespace gsim
