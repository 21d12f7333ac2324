#include <algorithm>
#include <string>

#include "gsim/core/misuse.hpp"
#include "gsim/domain/field.hpp"
#include "src/domain/particles/copy_columns.hpp"

namespace gsim {
namespace {

CellBlock intersection(const CellBlock& a, const CellBlock& b) {
  CellBlock both;
  for (std::size_t i = 0; i < 3; ++i) {
    both.lo[i] = std::max(a.lo[i], b.lo[i]);
    both.hi[i] = std::min(a.hi[i], b.hi[i]);
  }
  return both;
}

/// Appends the rows of the cells at the coordinates of `cells` minus `shift`.
void append_rows(std::vector<std::int32_t>& rows, const FieldLayout& layout, const CellBlock& cells,
                 const Cell& shift) {
  for (Index z = cells.lo[2]; z < cells.hi[2]; ++z)
    for (Index y = cells.lo[1]; y < cells.hi[1]; ++y)
      for (Index x = cells.lo[0]; x < cells.hi[0]; ++x)
        rows.push_back(
            static_cast<std::int32_t>(layout.row(x - shift[0], y - shift[1], z - shift[2])));
}

/// Calls found(cells, shift) for every part of `required` that is a periodic image of cells of
/// `owner`. `shift` is the distance of the image in cells, a multiple of the grid's size along each
/// axis. The order of the calls is fixed, so that sender and receiver agree.
template <class Found>
void for_each_image(const GridDecomposition& grid, const CellBlock& required,
                    const CellBlock& owner, Found found) {
  if (required.empty() || owner.empty()) return;
  Cell first{0, 0, 0}, last{0, 0, 0}, n = grid.cells();
  for (std::size_t a = 0; a < 3; ++a)
    if (grid.boundary(static_cast<int>(a)) == Boundary::periodic) {
      // A superset of the possible shifts: no other k satisfies owner.lo + k n < required.hi and
      // owner.hi + k n > required.lo.
      first[a] = (required.lo[a] - owner.hi[a]) / n[a] - 1;
      last[a] = (required.hi[a] - owner.lo[a]) / n[a] + 1;
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
        const CellBlock part = intersection(required, image);
        if (!part.empty()) found(part, shift);
      }
}

/// The ghosts on one side of the layout's block. `side` is -1, 0 or 1 along each axis: at lower,
/// the same or higher coordinates than the block's cells.
CellBlock ghosts_on_side(const FieldLayout& layout, const Cell& side) {
  CellBlock ghosts = layout.block;
  if (ghosts.empty()) return ghosts;
  for (std::size_t a = 0; a < 3; ++a) {
    if (side[a] < 0) ghosts.hi[a] = ghosts.lo[a];
    if (side[a] > 0) ghosts.lo[a] = ghosts.hi[a];
    if (side[a] < 0) ghosts.lo[a] -= layout.width[a];
    if (side[a] > 0) ghosts.hi[a] += layout.width[a];
  }
  return ghosts;
}

/// Calls visit(side) for the 26 sides of a block: faces, edges and corners.
template <class Visit>
void for_each_side(Visit visit) {
  for (Index z = -1; z <= 1; ++z)
    for (Index y = -1; y <= 1; ++y)
      for (Index x = -1; x <= 1; ++x)
        if (x != 0 || y != 0 || z != 0) visit(Cell{x, y, z});
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
    throw MisuseError(
        "a FieldHalo is made for a grid of " + std::to_string(grid.ranks()) + " blocks on " +
        std::to_string(communicator_.size()) + " ranks with tag " + std::to_string(tag) +
        "; pass a decomposition for all ranks of the communicator, and a tag from 0 to " +
        std::to_string(tags - 1));
  layout_ = FieldLayout::of(grid.block(communicator_.rank()), width);
  plan(grid);
  for (Rows* rows : {&sent_, &received_, &images_from_, &images_to_}) upload(*rows);
}

void FieldHalo::plan(const GridDecomposition& grid) {
  const int me = communicator_.rank();
  const CellBlock mine = layout_.block;
  const Cell none{0, 0, 0};
  // Sender and receiver iterate over the sides of the receiver's block in the same order.
  const auto add = [](std::vector<Part>& parts, const Rows& rows, int rank, const Cell& side,
                      Index first) {
    if (const Index n = static_cast<Index>(rows.host.size()) - first; n > 0)
      parts.push_back({rank, side, first, n});
  };
  for (int r = 0; r < grid.ranks(); ++r) {
    const CellBlock& theirs = grid.block(r);
    for_each_side([&](const Cell& side) {
      const auto received = static_cast<Index>(received_.host.size());
      const auto images = static_cast<Index>(images_to_.host.size());
      const CellBlock required = ghosts_on_side(layout_, side);
      if (r == me) {
        for_each_image(grid, required, mine, [&](const CellBlock& part, const Cell& shift) {
          append_rows(images_from_.host, layout_, part, shift);
          append_rows(images_to_.host, layout_, part, none);
        });
        add(image_parts_, images_to_, me, side, images);
        return;
      }
      const auto sent = static_cast<Index>(sent_.host.size());
      for_each_image(grid, ghosts_on_side(FieldLayout::of(theirs, layout_.width), side), mine,
                     [&](const CellBlock& part, const Cell& shift) {
                       append_rows(sent_.host, layout_, part, shift);
                     });
      add(sent_parts_, sent_, r, side, sent);
      for_each_image(grid, required, theirs, [&](const CellBlock& part, const Cell&) {
        append_rows(received_.host, layout_, part, none);
      });
      add(received_parts_, received_, r, side, received);
    });
  }
}

void FieldHalo::upload(Rows& rows) const {
  rows.count = static_cast<Index>(rows.host.size());
  if (!executor_.is_cuda() || rows.count == 0) return;
  rows.device.emplace_back(executor_, std::span<const std::int32_t>(rows.host));
  rows.host = {};
}

Index FieldHalo::messages() const {
  Index count = 0;
  for (std::size_t i = 0; i < sent_parts_.size(); ++i)
    count += i == 0 || sent_parts_[i].rank != sent_parts_[i - 1].rank;
  return count;
}

/// Whether values of a field propagate into the block from its side `side`.
bool FieldHalo::is_required(std::size_t field, const Cell& side) const {
  if (directions_.empty()) return true;
  for (std::size_t a = 0; a < 3; ++a)
    if (side[a] != 0 && directions_[field][a] != -side[a]) return false;
  return true;
}

/// Size in bytes of a row on `side` in a message.
Index FieldHalo::record_bytes(const Cell& side) const {
  Index bytes = 0;
  for (std::size_t k = 0; k < fields_.size(); ++k)
    if (is_required(k, side)) bytes += detail::padded(fields_[k]->row_bytes());
  return bytes;
}

/// Copies the required rows of all fields. fill(copy, field, offset_in_messages, record) sets
/// source and target: `offset_in_messages` is the offset in bytes of the first row of a part in the
/// buffer that holds all messages one after the other, `record` the size of a record in bytes.
template <class Fill>
void FieldHalo::copy(const Rows* from, const Rows* to, const std::vector<Part>& parts,
                     Fill fill) const {
  Index message = 0;
  for (std::size_t i = 0; i < parts.size();) {
    // If all fields are required, all parts have records of one size and take a single launch.
    const Part& part = parts[i];
    Index rows = part.count;
    for (++i; directions_.empty() && i < parts.size(); ++i) rows += parts[i].count;
    std::vector<Field*> required;
    for (std::size_t k = 0; k < fields_.size(); ++k)
      if (is_required(k, part.side)) required.push_back(fields_[k]);
    const Index record = record_bytes(part.side);
    domain::CopyRowsArgs args;
    args.rows = rows;
    if (from != nullptr) args.from_rows = from->data() + part.first;
    if (to != nullptr) args.to_rows = to->data() + part.first;
    detail::copy_columns(
        executor_, args, required.size(), [&](std::size_t k) { return required[k]->row_bytes(); },
        [&](domain::ColumnCopy& c, std::size_t k, Index offset) {
          fill(c, *required[k], message + offset, record);
        });
    message += rows * record;
  }
}

/// Calls visit(rank, offset_in_messages, bytes) for the message of each peer.
template <class Visit>
void FieldHalo::for_each_message(const std::vector<Part>& parts, Visit visit) const {
  Index offset_in_messages = 0;
  for (std::size_t i = 0; i < parts.size();) {
    const int rank = parts[i].rank;
    Index bytes = 0;
    for (; i < parts.size() && parts[i].rank == rank; ++i)
      bytes += parts[i].count * record_bytes(parts[i].side);
    if (bytes > 0) visit(rank, offset_in_messages, bytes);
    offset_in_messages += bytes;
  }
}

void FieldHalo::post(std::span<Field* const> fields, std::span<const Cell> directions) {
  if (under_way_)
    throw MisuseError(
        "a FieldHalo is posted again before its last exchange has ended; call finish() after each "
        "post(), before ghosts are read");
  if (!directions.empty() && directions.size() != fields.size())
    throw MisuseError("FieldHalo::post() has " + std::to_string(fields.size()) + " fields and " +
                      std::to_string(directions.size()) +
                      " directions; give one direction for each field, or none");
  for (const Field* field : fields)
    if (field->layout() != layout_)
      throw MisuseError(
          "a field and the FieldHalo that it is posted to differ in layout; make fields with "
          "halo.layout()");
  fields_.assign(fields.begin(), fields.end());
  directions_.assign(directions.begin(), directions.end());
  Index sent = 0, received = 0;
  for_each_message(sent_parts_, [&](int, Index, Index bytes) { sent += bytes; });
  for_each_message(received_parts_, [&](int, Index, Index bytes) { received += bytes; });
  outgoing_.reserve(static_cast<std::size_t>(sent));
  copy(&sent_, nullptr, sent_parts_,
       [&](domain::ColumnCopy& c, Field& field, Index offset_in_messages, Index record) {
         const Index bytes = field.row_bytes();
         c = {field.data(), outgoing_.data() + offset_in_messages, bytes, record, bytes};
       });
  // Packing, and the last unpacking, must have finished before messages are sent and received.
  if (sent > 0 || received > 0) executor_.synchronize();
  incoming_.reserve(static_cast<std::size_t>(received));

  std::vector<OutgoingMessage> out;
  std::vector<IncomingMessage> in;
  for_each_message(sent_parts_, [&](int rank, Index offset_in_messages, Index bytes) {
    out.push_back({rank, outgoing_.data() + offset_in_messages, static_cast<std::size_t>(bytes)});
  });
  for_each_message(received_parts_, [&](int rank, Index offset_in_messages, Index bytes) {
    in.push_back({rank, incoming_.data() + offset_in_messages, static_cast<std::size_t>(bytes)});
  });
  messages_->post(tag_, out, in);
  under_way_ = true;
  copy(&images_from_, &images_to_, image_parts_,
       [](domain::ColumnCopy& c, Field& field, Index, Index) {
         const Index bytes = field.row_bytes();
         c = {field.data(), field.data(), bytes, bytes, bytes};
       });
}

void FieldHalo::finish() {
  if (!under_way_) return;
  messages_->finish();
  under_way_ = false;
  copy(nullptr, &received_, received_parts_,
       [&](domain::ColumnCopy& c, Field& field, Index offset_in_messages, Index record) {
         const Index bytes = field.row_bytes();
         c = {incoming_.data() + offset_in_messages, field.data(), record, bytes, bytes};
       });
}

}  // namespace gsim
