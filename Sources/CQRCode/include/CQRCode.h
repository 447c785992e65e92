#pragma once
// libqrencode (LGPL-2.1 or later), found when it is first needed, as Cairo and Pango are: few programs draw codes. Its calls have been
// the same since version 3, and are declared here, so that building needs none of its headers.

/// Opens the library once. NULL when it is ready, otherwise why not (text of static life).
const char *chirp_qrcode_load(void);

/// The widest code: 177 squares (ISO/IEC 18004).
enum { chirp_qrcode_most = 177 };

/// Makes the smallest code of some bytes. May be called only after chirp_qrcode_load() has returned NULL.
///
/// level: how much of it may be lost, 0 (7 %) to 3 (30 %).
/// squares: gets a byte for each square, row by row, 1 for a dark one; at least chirp_qrcode_most squared.
/// Returns the number of squares in a row; 0 when the bytes are too many.
int chirp_qrcode_make(const unsigned char *bytes, int count, int level, unsigned char *squares);
