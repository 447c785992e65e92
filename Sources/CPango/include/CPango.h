#pragma once
// Cairo and Pango, found when they are first needed.
//
// Linking them makes the dynamic linker load twenty libraries at every start. So they are opened by dlopen, as libcurl is, and these
// functions call through the table filled then. What they take is declared here, since the calls that are used have been the same since
// Pango 1.20: building needs none of their headers.
#include <stddef.h>

/// Opens the libraries once. NULL when they are ready, otherwise why not (text of static life).
const char *chirp_pango_load(void);

// Everything below may be called only after chirp_pango_load() has returned NULL.

/// A picture in memory, and what draws into it.
typedef struct chirp_canvas chirp_canvas;

/// NULL when there is no memory for it.
chirp_canvas *chirp_canvas_create(int width, int height);
void chirp_canvas_destroy(chirp_canvas *canvas);
/// What is drawn next has this colour; parts from 0 to 1.
void chirp_canvas_colour(chirp_canvas *canvas, double red, double green, double blue);
/// Fills a rectangle with round corners.
void chirp_canvas_fill(chirp_canvas *canvas, double x, double y, double width, double height, double radius);
/// Writes text into a box that begins at (x, y): broken into lines, at most as many as given, with an ellipsis where it is cut.
/// The text is UTF-8 and is taken as it is. Returns the height that it takes.
int chirp_canvas_text(
    chirp_canvas *canvas, const char *text, const char *font, double x, double y, int width, int lines);
/// Gives the picture as PNG, in pieces. The function returns 0 when it has taken one. Returns 0 when all were taken.
int chirp_canvas_png(
    chirp_canvas *canvas, int (*take)(void *context, const unsigned char *bytes, unsigned int count), void *context);
