package import ChirpAudio
internal import CPhoto

/// Pixels of grey, eight bits each and 0 for black, row by row.
package struct GrayPicture: Sendable {
    package let width: Int
    package let height: Int
    package var pixels: [UInt8]

    /// All white.
    package init(width: Int, height: Int) {
        self.width = width
        self.height = height
        pixels = Array(repeating: 255, count: width * height)
    }

    /// The file.
    package func png() throws(AudioError) -> [UInt8] {
        precondition(pixels.count == width * height)
        let (width, height) = (Int32(width), Int32(height))
        var bytes = [UInt8](repeating: 0, count: chirp_photo_png_most(width, height))
        var count = bytes.count
        guard chirp_photo_png_encode_gray(pixels, width, height, &bytes, &count) == nil else {
            throw .library(name: "libpng", code: 1)
        }
        return Array(bytes.prefix(count))
    }
}
