#include "CPhoto.h"
#include "Libraries.h"

#include <stdlib.h>
#include <string.h>

struct source {
    const unsigned char *bytes;
    size_t left;
};

static int take(GifFileType *file, GifByteType *goal, int count) {
    struct source *source = file->UserData;
    if (count < 0 || (size_t)count > source->left) return 0;
    memcpy(goal, source->bytes, (size_t)count);
    source->bytes += count;
    source->left -= (size_t)count;
    return count;
}

/// The area's size, as the file's head has it (GIF89a, section 18): it is not asked of the library, which would have to read more.
const char *chirp_photo_gif_size(const unsigned char *bytes, size_t count, int *width, int *height) {
    if (!chirp_gif_library()) return "libgif.so.7 is not there";
    if (count < 13) return "it is cut short";
    *width = bytes[6] | bytes[7] << 8;
    *height = bytes[8] | bytes[9] << 8;
    return NULL;
}

/// Reads what stands before the first picture.
///
/// Returns 0, or what is wrong. `transparent` is the colour that is none, or -1.
static const char *find_picture(const struct chirp_gif *gif, GifFileType *file, int *transparent) {
    for (;;) {
        GifRecordType kind;
        if (gif->GetRecordType(file, &kind) != GIF_OK) return "it is cut short";
        if (kind == IMAGE_DESC_RECORD_TYPE) {
            return gif->GetImageDesc(file) == GIF_OK ? NULL : "its first picture makes no sense";
        }
        if (kind != EXTENSION_RECORD_TYPE) return "there is no picture in it";
        int code;
        GifByteType *block;
        if (gif->GetExtension(file, &code, &block) != GIF_OK) return "it is cut short";
        // Section 23: the last one before the picture counts.
        if (code == GRAPHICS_EXT_FUNC_CODE && block && block[0] >= 4) *transparent = block[1] & 1 ? block[4] : -1;
        while (block) {
            if (gif->GetExtensionNext(file, &block) != GIF_OK) return "it is cut short";
        }
    }
}

static const char *paint(
    const struct chirp_gif *gif, GifFileType *file, int transparent, unsigned char *line, unsigned char *rgb,
    int width, int height) {
    const GifImageDesc *frame = &file->Image;
    const ColorMapObject *colours = frame->ColorMap ? frame->ColorMap : file->SColorMap;
    if (!colours || colours->ColorCount < 1) return "it has no colours";
    // Section 20, and appendix E: where rows of an interlaced picture go.
    static const int first[] = {0, 4, 2, 1}, step[] = {8, 8, 4, 2};
    int passes = frame->Interlace ? 4 : 1;
    for (int pass = 0; pass < passes; pass++) {
        int stride = frame->Interlace ? step[pass] : 1;
        for (int row = frame->Interlace ? first[pass] : 0; row < frame->Height; row += stride) {
            if (gif->GetLine(file, line, frame->Width) != GIF_OK) return "it is cut short";
            int y = frame->Top + row;
            if (y >= height) continue;
            for (int column = 0; column < frame->Width; column++) {
                int x = frame->Left + column, colour = line[column];
                if (x >= width) break;
                if (colour == transparent || colour >= colours->ColorCount) continue;
                const GifColorType *light = &colours->Colors[colour];
                unsigned char *pixel = rgb + 3 * ((size_t)y * (size_t)width + (size_t)x);
                pixel[0] = light->Red;
                pixel[1] = light->Green;
                pixel[2] = light->Blue;
            }
        }
    }
    return NULL;
}

const char *chirp_photo_gif_decode(
    const unsigned char *bytes, size_t count, unsigned char *rgb, int width, int height) {
    const struct chirp_gif *gif = chirp_gif_library();
    if (!gif) return "libgif.so.7 is not there";
    struct source source = {bytes, count};
    int code = 0, transparent = -1;
    GifFileType *file = gif->Open(&source, take, &code);
    if (!file) return "its head makes no sense";
    memset(rgb, 255, 3 * (size_t)width * (size_t)height);
    const char *fault = find_picture(gif, file, &transparent);
    const GifImageDesc *frame = &file->Image;
    if (!fault && (frame->Width < 1 || frame->Height < 1 || frame->Left < 0 || frame->Top < 0)) {
        fault = "its first picture is empty";
    }
    // What lies outside the area is decoded too: no more of it than fits the area a few times.
    if (!fault && (long)frame->Width * frame->Height > 4L * width * height + 65536) {
        fault = "its first picture is larger than itself";
    }
    if (!fault) {
        unsigned char *line = malloc((size_t)frame->Width);
        fault = line ? paint(gif, file, transparent, line, rgb, width, height) : "there is no memory";
        free(line);
    }
    gif->CloseFile(file, &code);
    return fault;
}
