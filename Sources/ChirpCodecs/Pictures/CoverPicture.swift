internal import CPicture
public import ChirpAudio

/// The picture of a clip: an upright JPEG of at most ``mostBytes`` without metadata, made of any JPEG or PNG. Other pictures, such as
/// WebP and GIF, are refused.
public struct CoverPicture: Hashable, Sendable {
    /// A clip goes over slow connections, and its tag comes first.
    public static let mostBytes = 100_000
    /// A larger source is refused before it is decoded: 50 million are 150 MB in memory.
    public static let mostPixels = 50_000_000
    /// A larger file is not read.
    public static let mostSourceBytes = 20_000_000
    /// What is scaled down has no longer side, in pixels.
    private static let side = 1000

    public let jpeg: [UInt8]

    /// - Parameters:
    ///   - bytes: of a JPEG or PNG file; any are safe.
    ///   - name: for errors.
    /// - Throws: ``AudioError/undecodable(name:reason:)`` or, for too many pixels, ``AudioError/unsupported(name:reason:)``.
    public init(_ bytes: [UInt8], name: String) throws(AudioError) {
        let isJPEG = bytes.starts(with: [0xFF, 0xD8, 0xFF])
        guard isJPEG || bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) else {
            throw .undecodable(name: name, reason: "a cover is a JPEG or PNG picture")
        }
        let orientation = isJPEG ? JPEGSegments.orientation(bytes) : 1
        let picture = try Self.decoded(bytes, isJPEG: isJPEG, name: name)
        // A small one keeps its quality, unless it lies on its side: what says so is not kept.
        if isJPEG, orientation == 1, let plain = JPEGSegments.withoutMetadata(bytes), plain.count <= Self.mostBytes {
            jpeg = plain
            return
        }
        var scaled = picture.fitting(side: Self.side).upright(orientation)
        while true {
            for quality in [88, 80, 70, 60] {
                guard let encoded = scaled.jpeg(quality: quality) else {
                    throw .library(name: "libjpeg", code: quality)
                }
                if encoded.count <= Self.mostBytes {
                    jpeg = encoded
                    return
                }
            }
            scaled = scaled.fitting(side: max(scaled.width, scaled.height) * 3 / 4)
        }
    }

    /// Decoded and turned as its metadata says; scaled down where that is cheap, but not below ``side``.
    ///
    /// - Parameter side: that side instead, in pixels.
    static func upright(_ bytes: [UInt8], name: String, side: Int = side) throws(AudioError) -> RGBPicture {
        let isJPEG = bytes.starts(with: [0xFF, 0xD8, 0xFF])
        guard isJPEG || bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) else {
            throw .undecodable(name: name, reason: "it is neither a JPEG nor a PNG picture")
        }
        let picture = try decoded(bytes, isJPEG: isJPEG, name: name, side: side)
        return isJPEG ? picture.fitting(side: 2 * side).upright(JPEGSegments.orientation(bytes)) : picture
    }

    /// At least ``side`` pixels wide or high, if there are as many.
    private static func decoded(
        _ bytes: [UInt8], isJPEG: Bool, name: String, side: Int = side
    ) throws(AudioError) -> RGBPicture {
        func check(_ fault: UnsafePointer<CChar>?) throws(AudioError) {
            guard let fault else { return }
            throw .undecodable(name: name, reason: DecoderRefusal.picture, detail: String(cString: fault))
        }
        var (width, height) = (Int32(0), Int32(0))
        try check(
            isJPEG
                ? chirp_jpeg_size(bytes, bytes.count, &width, &height)
                : chirp_png_size(bytes, bytes.count, &width, &height))
        guard width > 0, height > 0, Int(width) * Int(height) <= mostPixels else {
            throw .unsupported(name: name, reason: "a cover may have 50 million pixels, this has \(width) x \(height)")
        }
        var denominator: Int32 = 1
        if isJPEG {
            while denominator < 8, max(width, height) / (2 * denominator) >= side { denominator *= 2 }
            try check(chirp_jpeg_scaled_size(bytes, bytes.count, denominator, &width, &height))
        }
        var pixels = [UInt8](repeating: 0, count: 3 * Int(width) * Int(height))
        let capacity = pixels.count
        let fault = pixels.withUnsafeMutableBufferPointer { pixels in
            isJPEG
                ? chirp_jpeg_decode(bytes, bytes.count, denominator, pixels.baseAddress, capacity)
                : chirp_png_decode(bytes, bytes.count, pixels.baseAddress, capacity)
        }
        try check(fault)
        return RGBPicture(width: Int(width), height: Int(height), pixels: pixels)
    }
}
