internal import CPhoto

/// A WebP file: one picture, or the first of those that move (developers.google.com/speed/webp/docs/riff_container, RFC 9649).
enum WebPPicture {
    /// What moves has frames somewhere on an area; the first is taken, as a file of its own.
    private struct Frame {
        let file: [UInt8]
        let left, top: Int
        let area: (width: Int, height: Int)
    }

    static func decoded(_ bytes: [UInt8], most: Int) throws(PictureFault) -> (picture: RGBPicture, turns: [Int]) {
        let chunks = try chunks(of: ByteStretch(bytes, 12..<max(12, bytes.count)))
        let turn = chunks.first { $0.mark == "EXIF" }.map { orientation(Array(bytes[$0.content.range])) } ?? 1
        guard let moving = chunks.first(where: { $0.mark == "ANMF" }) else {
            return (try still(bytes, most: most), [turn])
        }
        guard var head = chunks.first(where: { $0.mark == "VP8X" })?.content else {
            throw .damaged("its area has no size")
        }
        _ = try head.number(4)
        // Numbers have the smaller byte first here.
        let area = (width: try little(&head) + 1, height: try little(&head) + 1)
        try PictureFormat.check(width: area.width, height: area.height, most: most)
        return (try placed(try frame(moving.content, area: area), most: most), [turn])
    }

    private static func little(_ stretch: inout ByteStretch) throws(PictureFault) -> Int {
        let value = try stretch.number(3)
        return value >> 16 | value & 0xFF00 | (value & 0xFF) << 16
    }

    private static func chunks(
        of file: ByteStretch
    ) throws(PictureFault) -> [(mark: String, content: ByteStretch)] {
        var (file, result) = (file, [(mark: String, content: ByteStretch)]())
        // What comes behind so many, or is cut short, is no part of the first picture.
        while file.count >= 8, result.count < 64 {
            let mark = try file.mark()
            let length = Int(UInt32(try file.number(4)).byteSwapped)
            result.append((mark, try file.part(min(length, file.count))))
            if length % 2 == 1, !file.isEmpty { _ = try file.number(1) }
        }
        return result
    }

    private static func orientation(_ exif: [UInt8]) -> Int {
        // Some programs write the mark that stands in front of it in JPEG.
        let mark = Array("Exif\0\0".utf8)
        return JPEGSegments.orientation(tiff: exif.starts(with: mark) ? Array(exif.dropFirst(mark.count)) : exif)
    }

    private static func frame(
        _ content: ByteStretch, area: (width: Int, height: Int)
    ) throws(PictureFault) -> Frame {
        var content = content
        let (left, top) = (2 * (try little(&content)), 2 * (try little(&content)))
        let (width, height) = (try little(&content), try little(&content))
        _ = try content.number(4)  // how long it is shown, and what becomes of it
        var file = Array("VP8X".utf8) + [10, 0, 0, 0, 0x10, 0, 0, 0]
        for size in [width, height] { file += [UInt8(size & 0xFF), UInt8(size >> 8 & 0xFF), UInt8(size >> 16)] }
        file += content.bytes[content.range]
        let length = UInt32(file.count + 4)
        let head = (0..<4).map { UInt8(truncatingIfNeeded: length >> (8 * $0)) }
        return Frame(
            file: Array("RIFF".utf8) + head + Array("WEBP".utf8) + file, left: left, top: top, area: area)
    }

    private static func still(_ bytes: [UInt8], most: Int) throws(PictureFault) -> RGBPicture {
        var (width, height) = (Int32(0), Int32(0))
        try PictureFault.check(chirp_photo_webp_size(bytes, bytes.count, &width, &height))
        try PictureFormat.check(width: Int(width), height: Int(height), most: most)
        let count = Int(width) * Int(height)
        var pixels = [UInt8](repeating: 0, count: 4 * count)
        let fault = pixels.withUnsafeMutableBufferPointer { pixels in
            let fault = chirp_photo_webp_decode(bytes, bytes.count, pixels.baseAddress, width, height)
            if fault == nil { chirp_photo_flatten(pixels.baseAddress, pixels.baseAddress, count) }
            return fault
        }
        try PictureFault.check(fault)
        pixels.removeLast(count)
        return RGBPicture(width: Int(width), height: Int(height), pixels: pixels)
    }

    private static func placed(_ frame: Frame, most: Int) throws(PictureFault) -> RGBPicture {
        let picture = try still(frame.file, most: most)
        let (width, height) = frame.area
        if frame.left == 0, frame.top == 0, picture.width == width, picture.height == height { return picture }
        guard frame.left <= width - picture.width, frame.top <= height - picture.height else {
            throw .damaged("its first picture lies outside it")
        }
        var pixels = [UInt8](repeating: 255, count: 3 * width * height)
        for row in 0..<picture.height {
            let (from, to) = (3 * row * picture.width, 3 * ((frame.top + row) * width + frame.left))
            pixels.replaceSubrange(
                to..<to + 3 * picture.width, with: picture.pixels[from..<from + 3 * picture.width])
        }
        return RGBPicture(width: width, height: height, pixels: pixels)
    }
}
