#pragma once
// Cairo and Pango, found when they are first needed.
//
// Linking them makes the dynamic linker load twenty libraries at every start. So they are opened by dlopen, as libcurl is, and these
// functions call through the table filled then. What they take is declared here, since the calls that are used have been the same since
// Pango 1.44: building needs none of their headers.
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
/// Something written: plain text in a font without a size, in lines at most so wide.
typedef struct {
    /// UTF-8, taken as it is.
    const char *text;
    const char *font;
    /// The height of the letters in the canvas's units.
    double size;
    double width;
    /// The most lines of a paragraph; more end with an ellipsis.
    int lines;
    /// Lines are centred instead of beginning where the script begins.
    int centred;
    /// Lines may break at every letter, as addresses must, and without a hyphen.
    int anywhere;
} chirp_text;
/// What it takes.
typedef struct {
    double width, height;
    int lines;
    /// Not all of it is there.
    int cut;
} chirp_extent;
/// Measures text; draws it too when told so.
chirp_extent chirp_canvas_write(chirp_canvas *canvas, const chirp_text *text, double x, double y, int draw);
/// The same with the lines from one on that are together no higher than the room; `lines` is their number, `cut` whether more follow.
chirp_extent chirp_canvas_write_lines(
    chirp_canvas *canvas, const chirp_text *text, int from, double room, double x, double y, int draw);

/// A page whose units are points (1/72 inch). The function gets the file in pieces when the page is finished, and returns 0 when it has
/// taken one. NULL when there is no memory for it. The file says nothing of when it was made.
chirp_canvas *chirp_canvas_create_pdf(
    double width, double height, const char *title,
    int (*take)(void *context, const unsigned char *bytes, unsigned int count), void *context);
/// What is drawn next stands on another page of the same size.
void chirp_canvas_next_page(chirp_canvas *canvas);
/// Writes the file. Returns 0 when all was taken. What remains is to destroy the canvas.
int chirp_canvas_finish(chirp_canvas *canvas);
/// Draws a JPEG of that many pixels into a box, as it is: its bytes stand in the file. Returns 0 when it was drawn.
int chirp_canvas_jpeg(
    chirp_canvas *canvas, const unsigned char *bytes, unsigned long count, int columns, int rows, double x, double y,
    double width, double height, double radius);
/// Fills the dark squares of a code, without its quiet zone.
void chirp_canvas_squares(
    chirp_canvas *canvas, const unsigned char *squares, int count, double x, double y, double size);
/// Draws a line; dashed when dash is above zero.
void chirp_canvas_line(
    chirp_canvas *canvas, double x, double y, double toX, double toY, double width, double dash);

/// Gives the picture as PNG, in pieces. The function returns 0 when it has taken one. Returns 0 when all were taken.
int chirp_canvas_png(
    chirp_canvas *canvas, int (*take)(void *context, const unsigned char *bytes, unsigned int count), void *context);
