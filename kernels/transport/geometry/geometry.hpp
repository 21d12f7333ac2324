#pragma once
// Tracking in a constructive solid geometry. Surface tracking:
//
//   Coordinates c;
//   begin_flight(c, x, d);
//   if (!locate(g, c)) …lost
//   loop: Boundary b = next_boundary(g, c);
//         if (collision path < b.path) { c.path = …; …; turn(g, c, new direction); continue; }
//         Crossing k = cross(g, c, b, random);
//
// material: g.cells[c.level[c.depth - 1].cell].fill (-1: void). Delta tracking: begin_flight,
// next_outer_surface, cell_at(position_of(c), …), cross_outer_surface.

#include "kernels/transport/geometry/cross.hpp"
