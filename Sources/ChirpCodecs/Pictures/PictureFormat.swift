internal import CPhoto

/// The kinds of pictures that people have, known by the first bytes and never by a name.
enum PictureFormat: Hashable, Sendable, CaseIterable {
    case jpeg, png, gif, webp, heic

    /// Nil for anything else.
    init?(_ bytes: [UInt8]) {
        func has(_ text: String, at place: Int) -> Bool {
            bytes.count >= place + text.utf8.count && bytes[place...].starts(with: text.utf8)
        }
        if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else if has("GIF87a", at: 0) || has("GIF89a", at: 0) {
            self = .gif
        } else if has("RIFF", at: 0), has("WEBP", at: 8) {
            self = .webp
        } else if has("ftyp", at: 4) {
            self = .heic
        } else {
            return nil
        }
    }

    /// The picture, on white where it is transparent, at least so large where it is, and how it is to be turned: orientations of
    /// Exif, one after the other.
    ///
    /// - Parameters:
    ///   - side: what the longer side is needed for, in pixels.
    ///   - most: pixels; more are refused before there is room for them.
    ///   - isLenient: whether a JPEG that is cut short is taken, grey where it ends.
    func decoded(
        _ bytes: [UInt8], side: Int, most: Int, isLenient: Bool = false
    ) throws(PictureFault) -> (picture: RGBPicture, turns: [Int]) {
        switch self {
        case .jpeg: (try jpeg(bytes, side: side, most: most, isLenient: isLenient), [JPEGSegments.orientation(bytes)])
        case .png:
            (
                try Self.plain(bytes, most: most, size: chirp_photo_png_size) { pixels, width, height in
                    chirp_photo_png_decode(bytes, bytes.count, pixels, 3 * Int(width) * Int(height))
                }, [Self.orientation(png: bytes)]
            )
        case .gif:
            (
                try Self.plain(bytes, most: most, size: chirp_photo_gif_size) { pixels, width, height in
                    chirp_photo_gif_decode(bytes, bytes.count, pixels, width, height)
                }, []
            )
        case .webp: try WebPPicture.decoded(bytes, most: most)
        case .heic: try HEICPicture.decoded(bytes, most: most)
        }
    }

    /// Throws for a size that is none, or too large.
    static func check(width: Int, height: Int, most: Int) throws(PictureFault) {
        guard width > 0, height > 0 else { throw .damaged("it is empty") }
        let (pixels, isTooLarge) = width.multipliedReportingOverflow(by: height)
        guard !isTooLarge, pixels <= most else {
            throw .unsupported("a picture may have \(most / 1_000_000) megapixels, this has \(width) x \(height)")
        }
    }

    private static func plain(
        _ bytes: [UInt8], most: Int,
        size: (UnsafePointer<UInt8>, Int, UnsafeMutablePointer<Int32>, UnsafeMutablePointer<Int32>)
            -> UnsafePointer<CChar>?,
        decode: (UnsafeMutablePointer<UInt8>?, Int32, Int32) -> UnsafePointer<CChar>?
    ) throws(PictureFault) -> RGBPicture {
        var (width, height) = (Int32(0), Int32(0))
        try PictureFault.check(size(bytes, bytes.count, &width, &height))
        try check(width: Int(width), height: Int(height), most: most)
        var pixels = [UInt8](repeating: 0, count: 3 * Int(width) * Int(height))
        try PictureFault.check(pixels.withUnsafeMutableBufferPointer { decode($0.baseAddress, width, height) })
        return RGBPicture(width: Int(width), height: Int(height), pixels: pixels)
    }

    /// Decoded smaller where that is enough: it is quicker, and takes less memory.
    private func jpeg(
        _ bytes: [UInt8], side: Int, most: Int, isLenient: Bool
    ) throws(PictureFault) -> RGBPicture {
        var (width, height) = (Int32(0), Int32(0))
        try PictureFault.check(chirp_photo_jpeg_size(bytes, bytes.count, 1, &width, &height))
        try Self.check(width: Int(width), height: Int(height), most: most)
        var denominator: Int32 = 1
        while denominator < 8, Int(max(width, height)) / Int(2 * denominator) >= side { denominator *= 2 }
        return try Self.plain(bytes, most: most) { bytes, count, width, height in
            chirp_photo_jpeg_size(bytes, count, denominator, width, height)
        } decode: { pixels, width, height in
            chirp_photo_jpeg_decode(
                bytes, bytes.count, denominator, isLenient ? 1 : 0, pixels, 3 * Int(width) * Int(height))
        }
    }

    /// What the Exif of a PNG says of turning it (W3C, Portable Network Graphics, third edition, sections 5 and 11.3.2.5): 1 where it
    /// says nothing that makes sense.
    private static func orientation(png bytes: [UInt8]) -> Int {
        guard bytes.count > 8 else { return 1 }
        var file = ByteStretch(bytes, 8..<bytes.count)
        while !file.isEmpty {
            guard let length = try? file.number(4), let mark = try? file.mark(), let content = try? file.part(length),
                (try? file.number(4)) != nil
            else { return 1 }
            if mark == "eXIf" { return JPEGSegments.orientation(tiff: Array(bytes[content.range])) }
            if mark == "IEND" { return 1 }
        }
        return 1
    }
}
