#pragma once
// The font of pictures: gsim's own glyphs, drawn as strokes.
//
// A glyph is written as its width, followed by its strokes, each after a blank. All numbers are
// digits of base 36. A stroke is a letter followed by points x, y. The digit of y is the height
// above the base line plus 8: the base line is at 8, the top of small letters at m (22), the top of
// capital letters at s (28). L: straight lines between the points. S: a quadratic B-spline from the
// first point to the last, with the other points as control points. C: a closed B-spline, whose
// points are all control points.

#include <array>
#include <string_view>
#include <utility>

namespace gsim::io_detail {

// clang-format off
inline constexpr std::array<std::string_view, 95> ascii_glyphs{  // from the space to the tilde
    "7",  // space
    "2 L1s1e L1819",  // !
    "6 L1s1n L5s5n",  // "
    "e L487s L98cs L1mem L0ede",  // #
    "c Scobr0r0jcic9190d L6v65",  // $
    "i Lgs28 C0s7s7j0j Cbhihi8b8",  // %
    "f Lf84l S4l0s6scsbm6j S6j0g0888daeh",  // &
    "2 L1s1n",  // '
    "5 S5v0q0954",  // (
    "5 S0v5q5904",  // )
    "a L5s5i L0qak L0kaq",  // *
    "c L0hch L6b6n",  // +
    "3 L292804",  // ,
    "8 L0g8g",  // -
    "2 L1819",  // .
    "a L05au",  // /
    "c C0scsc808",  // 0
    "c L2o7s78",  // 1
    "c S0n0scsck08 L08c8",  // 2
    "c S0o1sbsbj4j S4jcjc8180c",  // 3
    "c L989s0ece",  // 4
    "c Lbs2s1j S1j4lclc8180c",  // 5
    "c C0kckc808 Sbq9s0s0e",  // 6
    "c L0scs48",  // 7
    "c C1sbsbj1j C0jcjc808",  // 8
    "c C0scscg0g S1a38c8cm",  // 9
    "2 L1819 L1j1k",  // :
    "3 L292804 L2j2k",  // ;
    "b Lbo0hba",  // <
    "c L0ece L0kck",  // =
    "b L0obh0a",  // >
    "a S0n0sasak5j5e L5859",  // ?
    "k C6memed6d Seleckcks0s05c5g7",  // @
    "e L087se8 L2fcf",  // A
    "d L7s0s0878 S7scscj7j L0j7j S7jdjd878",  // B
    "e Sencs0s08c8ed",  // C
    "e L68080s6s S6sese868",  // D
    "b Lb8080sbs L0i9i",  // E
    "b L080sbs L0i8i",  // F
    "e Sencs0s08c8ec Leceh8h",  // G
    "d L080s Ld8ds L0idi",  // H
    "2 L181s",  // I
    "9 L9s9e S9e98080e",  // J
    "d L080s Lds0g L5kd8",  // K
    "a L0s08a8",  // L
    "g L080s8bgsg8",  // M
    "d L080sd8ds",  // N
    "f C0sfsf808",  // O
    "c L080s6s S6scsch6h L6h0h",  // P
    "f C0sfsf808 L9df6",  // Q
    "d L080s6s S6scsci6i L0i6id8",  // R
    "c Scobs0s0jcic8180c",  // S
    "c L0scs L6s68",  // T
    "d L0s0f S0f08d8df Ldfds",  // U
    "e L0s78es",  // V
    "k L0s58aqf8ks",  // W
    "d L08ds L0sd8",  // X
    "e L0s7ies L7i78",  // Y
    "c L0scs08c8",  // Z
    "5 L5v0v0454",  // [
    "a L0ua5",  // backslash
    "5 L0v5v5404",  // ]
    "a L0l5sal",  // ^
    "c L05c5",  // _
    "4 L0t4p",  // `
    "a S1j2mamag Laga8 Sag0h0898ad",  // a
    "b L0s08 C0mbmb808",  // b
    "a Saj9m0m0898ab",  // c
    "b Lbsb8 C0mbmb808",  // d
    "b L0fbf Sbfbm0m08a8bc",  // e
    "8 S8s3s3n L3n38 L0m7m",  // f
    "b C0mbmb808 Lbmb7 Sb7b21215",  // g
    "a L0s08 S0g0mamag Laga8",  // h
    "2 L1m18 L1q1r",  // i
    "4 L4m46 S464202 L4q4r",  // j
    "a L0s08 Lam0d L4ha8",  // k
    "2 L1s18",  // l
    "h L0m08 S0g0m8m8g L8g88 S8g8mhmhg Lhgh8",  // m
    "a L0m08 S0g0mamag Laga8",  // n
    "b C0mbmb808",  // o
    "b L0m02 C0mbmb808",  // p
    "b Lbmb2 C0mbmb808",  // q
    "7 L0m08 S0g0m7m",  // r
    "9 S9j8m0m0f9f98180b",  // s
    "8 L3r3c S3c3888 L0m7m",  // t
    "a L0m0e S0e08a8ae Lama8",  // u
    "a L0m58am",  // v
    "g L0m488kc8gm",  // w
    "a L08am L0ma8",  // x
    "a L0m59 Lam45 S453202",  // y
    "9 L0m9m0898",  // z
    "7 S7v3v3q L3q3m S3m3i0i S0i3i3e L3e39 S393474",  // {
    "2 L1v13",  // |
    "7 S0v4v4q L4q4m S4m4i7i S7i4i4e L4e49 S494404",  // }
    "d S0f2k6i8fbedj",  // ~
};

inline constexpr std::array<std::pair<char32_t, std::string_view>, 10> other_glyphs{{
    {U'\u00b0', "6 C0s6s6l0l"},  // °
    {U'\u00b1', "c L0jcj L6d6p L09c9"},  // ±
    {U'\u00b2', "7 S0q0t7t7o0j L0j7j"},  // ²
    {U'\u00b3', "7 S0s1t7t7o3o S3o7o7i1i0k"},  // ³
    {U'\u00b5', "a L0m02 S0e08a8ae Lama8"},  // µ
    {U'\u00b7', "2 L1h1i"},  // ·
    {U'\u00d7', "a L0cam L0mac"},  // ×
    {U'\u2013', "a L0gag"},  // –
    {U'\u2026', "e L1819 L7879 Ld8d9"},  // …
    {U'\u2212', "c L0hch"},  // −
}};
// clang-format on

}  // namespace gsim::io_detail
