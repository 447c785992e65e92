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
        guard Self.format(bytes) != nil else {
            throw .undecodable(name: name, reason: "a cover is a JPEG or PNG picture")
        }
        let picture = try Self.upright(bytes, name: name)
        do throws(PictureFault) {
            if let plain = Self.plain(bytes) {
                jpeg = plain
            } else {
                jpeg = try Self.small(picture.fitting(side: Self.side))
            }
        } catch {
            throw error.error(name: name)
        }
    }

    /// Decoded and turned as its metadata says; scaled down where that is cheap, but not below ``side``.
    ///
    /// - Parameter side: that side instead, in pixels.
    static func upright(_ bytes: [UInt8], name: String, side: Int = side) throws(AudioError) -> RGBPicture {
        guard let format = format(bytes) else {
            throw .undecodable(name: name, reason: "it is neither a JPEG nor a PNG picture")
        }
        do throws(PictureFault) {
            // A recording's cover is often cut short, and shown nevertheless.
            let (source, turns) = try format.decoded(bytes, side: side, most: mostPixels, isLenient: true)
            var picture = source
            if turns.contains(where: { $0 != 1 }) { picture = picture.fitting(side: 2 * side) }
            for turn in turns { picture = picture.upright(turn) }
            return picture
        } catch {
            throw error.error(name: name)
        }
    }

    private static func format(_ bytes: [UInt8]) -> PictureFormat? {
        PictureFormat(bytes).flatMap { $0 == .jpeg || $0 == .png ? $0 : nil }
    }

    /// A small one keeps its quality, unless it lies on its side: what says so is not kept.
    private static func plain(_ bytes: [UInt8]) -> [UInt8]? {
        guard PictureFormat(bytes) == .jpeg, JPEGSegments.orientation(bytes) == 1,
            let plain = JPEGSegments.withoutMetadata(bytes), plain.count <= mostBytes
        else { return nil }
        return plain
    }

    private static func small(_ picture: RGBPicture) throws(PictureFault) -> [UInt8] {
        var scaled = picture
        while true {
            for quality in [88, 80, 70, 60] {
                let encoded = try scaled.jpeg(quality: quality)
                if encoded.count <= mostBytes { return encoded }
            }
            scaled = scaled.fitting(side: max(scaled.width, scaled.height) * 3 / 4)
        }
    }
}
