#include <algorithm>
#include <string>

#include "copy_columns.hpp"
#include "gsim/domain/field.hpp"

namespace gsim {
namespace {

CellBlock meet(const CellBlock& a, const CellBlock& b) {
  CellBlock both;
  for (std::size_t i = 0; i < 3; ++i) {
    both.lo[i] = std::max(a.lo[i], b.lo[i]);
    both.hi[i] = std::min(a.hi[i], b.hi[i]);
  }
  return both;
}

void append_rows(std::vector<std::int32_t>& rows, const FieldLayout& layout, const CellBlock& cells,
                 const Cell& shift) {
  for (Index z = cells.lo[2]; z < cells.hi[2]; ++z)
    for (Index y = cells.lo[1]; y < cells.hi[1]; ++y)
      for (Index x = cells.lo[0]; x < cells.hi[0]; ++x)
        rows.push_back(
            static_cast<std::int32_t>(layout.row(x - shift[0], y - shift[1], z - shift[2])));
}

/// Calls found(cells, shift) for every part of `wanted` that is an image of `owner`'s cells, moved
/// by `shift` grids; always in the same order, so that sender and receiver agree.
template <class Found>
void for_each_image(const GridDecomposition& grid, const CellBlock& wanted, const CellBlock& owner,
                    Found found) {
  if (wanted.empty() || owner.empty()) return;
  Cell first{0, 0, 0}, last{0, 0, 0}, n = grid.cells();
  for (std::size_t a = 0; a < 3; ++a)
    if (grid.boundary(static_cast<int>(a)) == Boundary::periodic) {
      // A superset: owner.lo + k n < wanted.hi and owner.hi + k n > wanted.lo for no other k.
      first[a] = (wanted.lo[a] - owner.hi[a]) / n[a] - 1;
      last[a] = (wanted.hi[a] - owner.lo[a]) / n[a] + 1;
    }
  for (Index k = first[2]; k <= last[2]; ++k)
    for (Index j = first[1]; j <= last[1]; ++j)
      for (Index i = first[0]; i <= last[0]; ++i) {
        const Cell shift{i * n[0], j * n[1], k * n[2]};
        CellBlock image = owner;
        for (std::size_t a = 0; a < 3; ++a) {
          image.lo[a] += shift[a];
          image.hi[a] += shift[a];
        }
        const CellBlock part = meet(wanted, image);
        if (!part.empty()) found(part, shift);
      }
}

}  // namespace

FieldHalo::FieldHalo(Communicator communicator, const GridDecomposition& grid, const Cell& width,
                     Executor executor, BufferPath path, int tag)
    : communicator_(std::move(communicator)),
      executor_(std::move(executor)),
      tag_(tag),
      outgoing_(executor_, path),
      incoming_(executor_, path),
      messages_(make_messages(communicator_, executor_, path)) {
  if (tag < 0 || tag >= tags || grid.ranks() != communicator_.size())
    throw Error("internal error: a field's halo for " + std::to_string(grid.ranks()) +
                " blocks with tag " + std::to_string(tag) + "; please report it");
  layout_ = FieldLayout::of(grid.block(communicator_.rank()), width);
  plan(grid);
  for (Rows* rows : {&sent_, &received_, &images_from_, &images_to_}) upload(*rows);
}

void FieldHalo::plan(const GridDecomposition& grid) {
  const int me = communicator_.rank();
  const CellBlock mine = layout_.block, wanted = layout_.extended();
  const Cell none{0, 0, 0};
  for (int r = 0; r < grid.ranks(); ++r) {
    if (r == me) continue;
    const CellBlock& theirs = grid.block(r);
    const auto sent = static_cast<Index>(sent_.host.size());
    for_each_image(grid, FieldLayout::of(theirs, layout_.width).extended(), mine,
                   [&](const CellBlock& part, const Cell& shift) {
                     append_rows(sent_.host, layout_, part, shift);
                   });
    const auto received = static_cast<Index>(received_.host.size());
    for_each_image(grid, wanted, theirs, [&](const CellBlock& part, const Cell&) {
      append_rows(received_.host, layout_, part, none);
    });
    if (const Index n = static_cast<Index>(sent_.host.size()) - sent; n > 0)
      sent_parts_.push_back({r, sent, n});
    if (const Index n = static_cast<Index>(received_.host.size()) - received; n > 0)
      received_parts_.push_back({r, received, n});
  }
  for_each_image(grid, wanted, mine, [&](const CellBlock& part, const Cell& shift) {
    if (shift == none) return;  // the cells themselves
    append_rows(images_from_.host, layout_, part, shift);
    append_rows(images_to_.host, layout_, part, none);
  });
}

void FieldHalo::upload(Rows& rows) const {
  rows.count = static_cast<Index>(rows.host.size());
  if (!executor_.is_cuda() || rows.count == 0) return;
  rows.device.emplace_back(executor_, std::span<const std::int32_t>(rows.host));
  rows.host = {};
}

Index FieldHalo::messages() const { return static_cast<Index>(sent_parts_.size()); }

/// Copies rows of all fields; fill(copy, field, offset) says from where to where.
template <class Fill>
void FieldHalo::copy(const Rows* from, const Rows* to, Fill fill) const {
  domain::CopyRowsArgs args;
  args.rows = (from != nullptr ? from : to)->count;
  if (from != nullptr) args.from_rows = from->data();
  if (to != nullptr) args.to_rows = to->data();
  detail::copy_columns(
      executor_, args, fields_.size(), [&](std::size_t k) { return fields_[k]->row_bytes(); },
      [&](domain::ColumnCopy& c, std::size_t k, Index offset) { fill(c, *fields_[k], offset); });
}

void FieldHalo::post(std::span<Field* const> fields) {
  if (under_way_) throw Error("internal error: a field's halo is posted twice; please report it");
  record_bytes_ = 0;
  for (const Field* field : fields) {
    if (field->layout() != layout_)
      throw Error("internal error: a field and its halo differ in layout; please report it");
    record_bytes_ += detail::padded(field->row_bytes());
  }
  fields_.assign(fields.begin(), fields.end());
  outgoing_.reserve(static_cast<std::size_t>(sent_.count * record_bytes_));
  copy(&sent_, nullptr, [&](domain::ColumnCopy& c, Field& field, Index offset) {
    const Index bytes = field.row_bytes();
    c = {field.data(), outgoing_.data() + offset, bytes, record_bytes_, bytes};
  });
  executor_.synchronize();  // what is sent must be packed
  incoming_.reserve(static_cast<std::size_t>(received_.count * record_bytes_));

  std::vector<OutgoingMessage> out;
  std::vector<IncomingMessage> in;
  for (const Part& part : sent_parts_)
    out.push_back({part.rank, outgoing_.data() + part.first * record_bytes_,
                   static_cast<std::size_t>(part.count * record_bytes_)});
  for (const Part& part : received_parts_)
    in.push_back({part.rank, incoming_.data() + part.first * record_bytes_,
                  static_cast<std::size_t>(part.count * record_bytes_)});
  messages_->post(tag_, out, in);
  under_way_ = true;
  copy(&images_from_, &images_to_, [](domain::ColumnCopy& c, Field& field, Index) {
    const Index bytes = field.row_bytes();
    c = {field.data(), field.data(), bytes, bytes, bytes};
  });
}

void FieldHalo::finish() {
  if (!under_way_) return;
  messages_->finish();
  under_way_ = false;
  copy(nullptr, &received_, [&](domain::ColumnCopy& c, Field& field, Index offset) {
    const Index bytes = field.row_bytes();
    c = {incoming_.data() + offset, field.data(), record_bytes_, bytes, bytes};
  });
}

}  // namespace gsim
