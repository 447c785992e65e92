#include "CPango.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

// Values of enumerations, as in cairo.h and pango-layout.h.
enum {
    format_rgb24 = 1, wrap_char = 1, wrap_word_char = 2, ellipsize_end = 3, align_left = 0, align_center = 1, pango_scale = 1024,
    pdf_title = 0, pdf_create_date = 5, pdf_version_1_5 = 1,
};

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
    void (*line_to)(void *cairo, double x, double y);
    void (*rectangle)(void *cairo, double x, double y, double width, double height);
    void (*stroke)(void *cairo);
    void (*clip)(void *cairo);
    void (*paint)(void *cairo);
    void (*save)(void *cairo);
    void (*restore)(void *cairo);
    void (*translate)(void *cairo, double x, double y);
    void (*scale)(void *cairo, double x, double y);
    void (*set_source_surface)(void *cairo, void *surface, double x, double y);
    void (*set_line_width)(void *cairo, double width);
    void (*set_dash)(void *cairo, const double *dashes, int count, double offset);
    int (*status)(void *cairo);
    void (*show_page)(void *cairo);
    void (*surface_finish)(void *surface);
    int (*surface_set_mime_data)(
        void *surface, const char *type, const unsigned char *data, unsigned long length, void (*destroy)(void *),
        void *closure);
    void *(*pdf_surface_create_for_stream)(
        int (*write)(void *, const unsigned char *, unsigned), void *, double width, double height);
    void (*pdf_surface_set_metadata)(void *surface, int metadata, const char *text);
    void (*pdf_surface_restrict_to_version)(void *surface, int version);
} cairo;

// PangoRectangle.
typedef struct {
    int x, y, width, height;
} rectangle;

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
    void (*layout_get_size)(void *layout, int *width, int *height);
    void (*layout_set_alignment)(void *layout, int alignment);
    int (*layout_is_ellipsized)(void *layout);
    int (*layout_get_line_count)(void *layout);
    void (*font_description_set_absolute_size)(void *description, double size);
    void *(*attr_list_new)(void);
    void (*attr_list_insert)(void *list, void *attribute);
    void (*attr_list_unref)(void *list);
    void *(*attr_insert_hyphens_new)(int isWanted);
    void (*layout_set_attributes)(void *layout, void *list);
    void *(*layout_get_iter)(void *layout);
    void (*layout_iter_free)(void *place);
    int (*layout_iter_next_line)(void *place);
    void *(*layout_iter_get_line_readonly)(void *place);
    int (*layout_iter_get_baseline)(void *place);
    void (*layout_iter_get_line_extents)(void *place, rectangle *ink, rectangle *logical);
    void (*cairo_show_layout_line)(void *cairo, void *line);
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
    FIND(cairo, cairo_library, line_to)
    FIND(cairo, cairo_library, rectangle)
    FIND(cairo, cairo_library, stroke)
    FIND(cairo, cairo_library, clip)
    FIND(cairo, cairo_library, paint)
    FIND(cairo, cairo_library, save)
    FIND(cairo, cairo_library, restore)
    FIND(cairo, cairo_library, translate)
    FIND(cairo, cairo_library, scale)
    FIND(cairo, cairo_library, set_source_surface)
    FIND(cairo, cairo_library, set_line_width)
    FIND(cairo, cairo_library, set_dash)
    FIND(cairo, cairo_library, status)
    FIND(cairo, cairo_library, show_page)
    FIND(cairo, cairo_library, surface_finish)
    FIND(cairo, cairo_library, surface_set_mime_data)
    FIND(cairo, cairo_library, pdf_surface_create_for_stream)
    FIND(cairo, cairo_library, pdf_surface_set_metadata)
    FIND(cairo, cairo_library, pdf_surface_restrict_to_version)
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
    FIND(pango, pango_library, layout_get_size)
    FIND(pango, pango_library, layout_set_alignment)
    FIND(pango, pango_library, layout_is_ellipsized)
    FIND(pango, pango_library, layout_get_line_count)
    FIND(pango, pango_library, font_description_set_absolute_size)
    FIND(pango, pango_library, attr_list_new)
    FIND(pango, pango_library, attr_list_insert)
    FIND(pango, pango_library, attr_list_unref)
    FIND(pango, pango_library, attr_insert_hyphens_new)
    FIND(pango, pango_library, layout_set_attributes)
    FIND(pango, pango_library, layout_get_iter)
    FIND(pango, pango_library, layout_iter_free)
    FIND(pango, pango_library, layout_iter_next_line)
    FIND(pango, pango_library, layout_iter_get_line_readonly)
    FIND(pango, pango_library, layout_iter_get_baseline)
    FIND(pango, pango_library, layout_iter_get_line_extents)
    FIND(pango, both, cairo_show_layout_line)
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

static chirp_canvas *made(void *surface) {
    chirp_canvas *canvas = malloc(sizeof *canvas);
    if (!canvas) {
        cairo.surface_destroy(surface);
        return NULL;
    }
    canvas->surface = surface;
    if (cairo.surface_status(canvas->surface) != 0) {
        cairo.surface_destroy(canvas->surface);
        free(canvas);
        return NULL;
    }
    canvas->context = cairo.create(canvas->surface);
    return canvas;
}

chirp_canvas *chirp_canvas_create(int width, int height) {
    return made(cairo.image_surface_create(format_rgb24, width, height));
}

chirp_canvas *chirp_canvas_create_pdf(
    double width, double height, const char *title,
    int (*take)(void *context, const unsigned char *bytes, unsigned int count), void *context) {
    chirp_canvas *canvas = made(cairo.pdf_surface_create_for_stream(take, context, width, height));
    if (!canvas) return NULL;
    cairo.pdf_surface_restrict_to_version(canvas->surface, pdf_version_1_5);
    cairo.pdf_surface_set_metadata(canvas->surface, pdf_title, title);
    // None: the same poster is the same file.
    cairo.pdf_surface_set_metadata(canvas->surface, pdf_create_date, NULL);
    return canvas;
}

void chirp_canvas_next_page(chirp_canvas *canvas) { cairo.show_page(canvas->context); }

int chirp_canvas_finish(chirp_canvas *canvas) {
    cairo.show_page(canvas->context);
    int status = cairo.status(canvas->context);
    cairo.surface_finish(canvas->surface);
    return status ? status : cairo.surface_status(canvas->surface);
}

void chirp_canvas_destroy(chirp_canvas *canvas) {
    cairo.destroy(canvas->context);
    cairo.surface_destroy(canvas->surface);
    free(canvas);
}

void chirp_canvas_colour(chirp_canvas *canvas, double red, double green, double blue) {
    cairo.set_source_rgb(canvas->context, red, green, blue);
}

static void outline(chirp_canvas *canvas, double x, double y, double width, double height, double radius) {
    const double quarter = 1.5707963267948966;
    cairo.new_sub_path(canvas->context);
    cairo.arc(canvas->context, x + width - radius, y + radius, radius, -quarter, 0);
    cairo.arc(canvas->context, x + width - radius, y + height - radius, radius, 0, quarter);
    cairo.arc(canvas->context, x + radius, y + height - radius, radius, quarter, 2 * quarter);
    cairo.arc(canvas->context, x + radius, y + radius, radius, 2 * quarter, 3 * quarter);
    cairo.close_path(canvas->context);
}

void chirp_canvas_fill(chirp_canvas *canvas, double x, double y, double width, double height, double radius) {
    outline(canvas, x, y, width, height, radius);
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

static void *laid(chirp_canvas *canvas, const chirp_text *text) {
    void *layout = pango.cairo_create_layout(canvas->context);
    void *description = pango.font_description_from_string(text->font);
    pango.font_description_set_absolute_size(description, text->size * pango_scale);
    pango.layout_set_font_description(layout, description);
    pango.font_description_free(description);
    pango.layout_set_width(layout, (int)(text->width * pango_scale));
    pango.layout_set_height(layout, -text->lines);
    pango.layout_set_wrap(layout, text->anywhere ? wrap_char : wrap_word_char);
    if (text->anywhere) {
        // A hyphen where an address breaks would be typed with it.
        void *attributes = pango.attr_list_new();
        pango.attr_list_insert(attributes, pango.attr_insert_hyphens_new(0));
        pango.layout_set_attributes(layout, attributes);
        pango.attr_list_unref(attributes);
    }
    pango.layout_set_ellipsize(layout, ellipsize_end);
    pango.layout_set_alignment(layout, text->centred ? align_center : align_left);
    pango.layout_set_text(layout, text->text, -1);
    return layout;
}

chirp_extent chirp_canvas_write(chirp_canvas *canvas, const chirp_text *text, double x, double y, int draw) {
    void *layout = laid(canvas, text);
    if (draw) {
        cairo.move_to(canvas->context, x, y);
        pango.cairo_show_layout(canvas->context, layout);
    }
    int width = 0, height = 0;
    pango.layout_get_size(layout, &width, &height);
    chirp_extent extent = {
        (double)width / pango_scale, (double)height / pango_scale, pango.layout_get_line_count(layout),
        pango.layout_is_ellipsized(layout),
    };
    object_unref(layout);
    return extent;
}

chirp_extent chirp_canvas_write_lines(
    chirp_canvas *canvas, const chirp_text *text, int from, double room, double x, double y, int draw) {
    void *layout = laid(canvas, text);
    void *place = pango.layout_get_iter(layout);
    chirp_extent extent = {0, 0, 0, 0};
    int index = 0, top = 0;
    do {
        if (index++ < from) continue;
        rectangle line;
        pango.layout_iter_get_line_extents(place, NULL, &line);
        if (extent.lines == 0) top = line.y;
        double height = (double)(line.y + line.height - top) / pango_scale;
        if (height > room) {
            extent.cut = 1;
            break;
        }
        if (draw) {
            double baseline = (double)(pango.layout_iter_get_baseline(place) - top) / pango_scale;
            cairo.move_to(canvas->context, x + (double)line.x / pango_scale, y + baseline);
            pango.cairo_show_layout_line(canvas->context, pango.layout_iter_get_line_readonly(place));
        }
        double width = (double)line.width / pango_scale;
        if (width > extent.width) extent.width = width;
        extent.height = height;
        extent.lines++;
    } while (pango.layout_iter_next_line(place));
    pango.layout_iter_free(place);
    object_unref(layout);
    return extent;
}

int chirp_canvas_jpeg(
    chirp_canvas *canvas, const unsigned char *bytes, unsigned long count, int columns, int rows, double x, double y,
    double width, double height, double radius) {
    // It stands for the picture; what is drawn are the bytes that belong to it, so nothing is decoded here.
    void *picture = cairo.image_surface_create(format_rgb24, columns, rows);
    unsigned char *copy = malloc(count);
    if (cairo.surface_status(picture) != 0 || !copy) {
        free(copy);
        cairo.surface_destroy(picture);
        return 1;
    }
    for (unsigned long index = 0; index < count; index++) copy[index] = bytes[index];
    int status = cairo.surface_set_mime_data(picture, "image/jpeg", copy, count, free, copy);
    if (status != 0) {
        free(copy);
        cairo.surface_destroy(picture);
        return status;
    }
    cairo.save(canvas->context);
    outline(canvas, x, y, width, height, radius);
    cairo.clip(canvas->context);
    cairo.translate(canvas->context, x, y);
    cairo.scale(canvas->context, width / columns, height / rows);
    cairo.set_source_surface(canvas->context, picture, 0, 0);
    cairo.paint(canvas->context);
    cairo.restore(canvas->context);
    cairo.surface_destroy(picture);
    return cairo.status(canvas->context);
}

void chirp_canvas_squares(
    chirp_canvas *canvas, const unsigned char *squares, int count, double x, double y, double size) {
    const double step = size / count;
    // One path of all, and each row's neighbours in one piece: seams between squares would be seen.
    for (int row = 0; row < count; row++) {
        for (int column = 0; column < count; column++) {
            int from = column;
            while (column < count && squares[row * count + column]) column++;
            if (column > from) {
                cairo.rectangle(canvas->context, x + from * step, y + row * step, (column - from) * step, step);
            }
        }
    }
    cairo.fill(canvas->context);
}

void chirp_canvas_line(
    chirp_canvas *canvas, double x, double y, double toX, double toY, double width, double dash) {
    cairo.save(canvas->context);
    cairo.set_line_width(canvas->context, width);
    if (dash > 0) cairo.set_dash(canvas->context, &dash, 1, 0);
    cairo.move_to(canvas->context, x, y);
    cairo.line_to(canvas->context, toX, toY);
    cairo.stroke(canvas->context);
    cairo.restore(canvas->context);
}
