#include "CPango.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

// Values of enumerations, as in cairo.h and pango-layout.h.
enum { format_rgb24 = 1, wrap_word_char = 2, ellipsize_end = 3, pango_scale = 1024 };

static struct {
    void *(*image_surface_create)(int format, int width, int height);
    int (*surface_status)(void *surface);
    void (*surface_destroy)(void *surface);
    int (*surface_write_to_png_stream)(void *surface, int (*write)(void *, const unsigned char *, unsigned), void *);
    void *(*create)(void *surface);
    void (*destroy)(void *cairo);
    void (*set_source_rgb)(void *cairo, double red, double green, double blue);
    void (*new_sub_path)(void *cairo);
    void (*arc)(void *cairo, double x, double y, double radius, double from, double to);
    void (*close_path)(void *cairo);
    void (*fill)(void *cairo);
    void (*move_to)(void *cairo, double x, double y);
} cairo;

static struct {
    void *(*cairo_create_layout)(void *cairo);
    void (*cairo_show_layout)(void *cairo, void *layout);
    void *(*font_description_from_string)(const char *text);
    void (*font_description_free)(void *description);
    void (*layout_set_font_description)(void *layout, const void *description);
    void (*layout_set_text)(void *layout, const char *text, int length);
    void (*layout_set_width)(void *layout, int width);
    void (*layout_set_height)(void *layout, int height);
    void (*layout_set_wrap)(void *layout, int wrap);
    void (*layout_set_ellipsize)(void *layout, int ellipsize);
    void (*layout_get_pixel_size)(void *layout, int *width, int *height);
} pango;

static void (*object_unref)(void *object);

static pthread_once_t once = PTHREAD_ONCE_INIT;
static const char *failure = "pango was not opened";

static void load(void) {
    void *cairo_library = dlopen("libcairo.so.2", RTLD_NOW | RTLD_LOCAL);
    void *pango_library = dlopen("libpango-1.0.so.0", RTLD_NOW | RTLD_LOCAL);
    void *both = dlopen("libpangocairo-1.0.so.0", RTLD_NOW | RTLD_LOCAL);
    void *objects = dlopen("libgobject-2.0.so.0", RTLD_NOW | RTLD_LOCAL);
    failure = "libpangocairo-1.0.so.0 cannot be opened";
    if (!cairo_library || !pango_library || !both || !objects) return;
    failure = "libpangocairo-1.0.so.0 is too old";
#define FIND(table, library, name)                                                                \
    table.name = (__typeof__(table.name))dlsym(library, #table "_" #name);                        \
    if (!table.name) return;
    FIND(cairo, cairo_library, image_surface_create)
    FIND(cairo, cairo_library, surface_status)
    FIND(cairo, cairo_library, surface_destroy)
    FIND(cairo, cairo_library, surface_write_to_png_stream)
    FIND(cairo, cairo_library, create)
    FIND(cairo, cairo_library, destroy)
    FIND(cairo, cairo_library, set_source_rgb)
    FIND(cairo, cairo_library, new_sub_path)
    FIND(cairo, cairo_library, arc)
    FIND(cairo, cairo_library, close_path)
    FIND(cairo, cairo_library, fill)
    FIND(cairo, cairo_library, move_to)
    FIND(pango, both, cairo_create_layout)
    FIND(pango, both, cairo_show_layout)
    FIND(pango, pango_library, font_description_from_string)
    FIND(pango, pango_library, font_description_free)
    FIND(pango, pango_library, layout_set_font_description)
    FIND(pango, pango_library, layout_set_text)
    FIND(pango, pango_library, layout_set_width)
    FIND(pango, pango_library, layout_set_height)
    FIND(pango, pango_library, layout_set_wrap)
    FIND(pango, pango_library, layout_set_ellipsize)
    FIND(pango, pango_library, layout_get_pixel_size)
#undef FIND
    object_unref = (__typeof__(object_unref))dlsym(objects, "g_object_unref");
    if (!object_unref) return;
    failure = NULL;
}

const char *chirp_pango_load(void) {
    pthread_once(&once, load);
    return failure;
}

struct chirp_canvas {
    void *surface;
    void *context;
};

chirp_canvas *chirp_canvas_create(int width, int height) {
    chirp_canvas *canvas = malloc(sizeof *canvas);
    if (!canvas) return NULL;
    canvas->surface = cairo.image_surface_create(format_rgb24, width, height);
    if (cairo.surface_status(canvas->surface) != 0) {
        cairo.surface_destroy(canvas->surface);
        free(canvas);
        return NULL;
    }
    canvas->context = cairo.create(canvas->surface);
    return canvas;
}

void chirp_canvas_destroy(chirp_canvas *canvas) {
    cairo.destroy(canvas->context);
    cairo.surface_destroy(canvas->surface);
    free(canvas);
}

void chirp_canvas_colour(chirp_canvas *canvas, double red, double green, double blue) {
    cairo.set_source_rgb(canvas->context, red, green, blue);
}

void chirp_canvas_fill(chirp_canvas *canvas, double x, double y, double width, double height, double radius) {
    const double quarter = 1.5707963267948966;
    cairo.new_sub_path(canvas->context);
    cairo.arc(canvas->context, x + width - radius, y + radius, radius, -quarter, 0);
    cairo.arc(canvas->context, x + width - radius, y + height - radius, radius, 0, quarter);
    cairo.arc(canvas->context, x + radius, y + height - radius, radius, quarter, 2 * quarter);
    cairo.arc(canvas->context, x + radius, y + radius, radius, 2 * quarter, 3 * quarter);
    cairo.close_path(canvas->context);
    cairo.fill(canvas->context);
}

int chirp_canvas_text(
    chirp_canvas *canvas, const char *text, const char *font, double x, double y, int width, int lines) {
    void *layout = pango.cairo_create_layout(canvas->context);
    void *description = pango.font_description_from_string(font);
    pango.layout_set_font_description(layout, description);
    pango.font_description_free(description);
    pango.layout_set_width(layout, width * pango_scale);
    // A negative height is a number of lines.
    pango.layout_set_height(layout, -lines);
    pango.layout_set_wrap(layout, wrap_word_char);
    pango.layout_set_ellipsize(layout, ellipsize_end);
    pango.layout_set_text(layout, text, -1);
    cairo.move_to(canvas->context, x, y);
    pango.cairo_show_layout(canvas->context, layout);
    int height = 0;
    pango.layout_get_pixel_size(layout, NULL, &height);
    object_unref(layout);
    return height;
}

int chirp_canvas_png(
    chirp_canvas *canvas, int (*take)(void *context, const unsigned char *bytes, unsigned int count), void *context) {
    return cairo.surface_write_to_png_stream(canvas->surface, take, context);
}
