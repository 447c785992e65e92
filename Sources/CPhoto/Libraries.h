#pragma once
// The libraries that are opened at run time, for the files beside this one.
#include <gif_lib.h>
#include <libde265/de265.h>
#include <webp/decode.h>

struct chirp_gif {
    __typeof__(DGifOpen) *Open;
    __typeof__(DGifCloseFile) *CloseFile;
    __typeof__(DGifGetRecordType) *GetRecordType;
    __typeof__(DGifGetImageDesc) *GetImageDesc;
    __typeof__(DGifGetExtension) *GetExtension;
    __typeof__(DGifGetExtensionNext) *GetExtensionNext;
    __typeof__(DGifGetLine) *GetLine;
};

struct chirp_webp {
    __typeof__(WebPGetFeaturesInternal) *GetFeaturesInternal;
    __typeof__(WebPDecodeRGBAInto) *DecodeRGBAInto;
};

struct chirp_hevc {
    __typeof__(de265_new_decoder) *new_decoder;
    __typeof__(de265_free_decoder) *free_decoder;
    __typeof__(de265_push_NAL) *push_NAL;
    __typeof__(de265_flush_data) *flush_data;
    __typeof__(de265_decode) *decode;
    __typeof__(de265_isOK) *isOK;
    __typeof__(de265_get_error_text) *get_error_text;
    __typeof__(de265_get_next_picture) *get_next_picture;
    __typeof__(de265_get_warning) *get_warning;
    __typeof__(de265_get_image_width) *get_image_width;
    __typeof__(de265_get_image_height) *get_image_height;
    __typeof__(de265_get_chroma_format) *get_chroma_format;
    __typeof__(de265_get_bits_per_pixel) *get_bits_per_pixel;
    __typeof__(de265_get_image_plane) *get_image_plane;
    __typeof__(de265_get_image_full_range_flag) *get_image_full_range_flag;
    __typeof__(de265_get_image_matrix_coefficients) *get_image_matrix_coefficients;
};

/// Each is NULL where the library is not there, or too old.
const struct chirp_gif *chirp_gif_library(void);
const struct chirp_webp *chirp_webp_library(void);
const struct chirp_hevc *chirp_hevc_library(void);
