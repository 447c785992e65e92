#include "CPhoto.h"
#include "Libraries.h"

const char *chirp_photo_webp_size(const unsigned char *bytes, size_t count, int *width, int *height) {
    const struct chirp_webp *webp = chirp_webp_library();
    if (!webp) return "libwebp.so.7 is not there";
    WebPBitstreamFeatures features;
    VP8StatusCode status = webp->GetFeaturesInternal(bytes, count, &features, WEBP_DECODER_ABI_VERSION);
    if (status == VP8_STATUS_NOT_ENOUGH_DATA) return "it is cut short";
    if (status != VP8_STATUS_OK) return "its head makes no sense";
    *width = features.width;
    *height = features.height;
    return NULL;
}

const char *chirp_photo_webp_decode(
    const unsigned char *bytes, size_t count, unsigned char *rgba, int width, int height) {
    const struct chirp_webp *webp = chirp_webp_library();
    if (!webp) return "libwebp.so.7 is not there";
    size_t row = 4 * (size_t)width;
    // It refuses by itself what has not the room that it needs.
    return webp->DecodeRGBAInto(bytes, count, rgba, row * (size_t)height, (int)row) ? NULL : "it is damaged";
}
