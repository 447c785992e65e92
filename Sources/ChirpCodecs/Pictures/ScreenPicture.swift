public import ChirpAudio

/// A photo that fills a screen: an upright JPEG without metadata, made anew of any JPEG or PNG, so that nothing of the source's bytes is
/// left in it. It keeps its shape: what of it is shown is decided later.
public struct ScreenPicture: Hashable, Sendable {
    /// Of its longer side, in pixels, where the source has as many: enough for a screen of 2560 x 1440.
    public static let side = 2560
    /// A larger file is not read.
    public static let mostSourceBytes = 10_000_000
    /// Of the JPEG. A photo of this size has 1 to 2 MB; noise has more.
    public static let mostBytes = 6_000_000

    public let jpeg: [UInt8]

    /// - Parameters:
    ///   - bytes: of a JPEG or PNG file; any are safe.
    ///   - name: for errors.
    /// - Throws: ``AudioError/undecodable(name:reason:)`` or, for too many pixels, ``AudioError/unsupported(name:reason:)``.
    public init(_ bytes: [UInt8], name: String) throws(AudioError) {
        guard bytes.count <= Self.mostSourceBytes else {
            throw .unsupported(name: name, reason: "a photo may have 10 MB")
        }
        let picture = try CoverPicture.upright(bytes, name: name, side: Self.side).fitting(side: Self.side)
        do throws(PictureFault) {
            for quality in [85, 70, 50] {
                let encoded = try picture.jpeg(quality: quality)
                if encoded.count <= Self.mostBytes {
                    jpeg = encoded
                    return
                }
            }
        } catch {
            throw error.error(name: name)
        }
        throw .unsupported(name: name, reason: "it is too large")
    }
}
