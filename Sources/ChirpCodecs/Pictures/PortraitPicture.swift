public import ChirpAudio

/// The picture of a person: an upright, square JPEG without metadata, made anew of any JPEG or PNG, so that nothing of the source's
/// bytes is left in it.
public struct PortraitPicture: Hashable, Sendable {
    /// Of its sides, in pixels, where the source has as many.
    public static let side = 400
    /// A larger file is not read.
    public static let mostSourceBytes = 8_000_000

    public let jpeg: [UInt8]

    /// Takes the middle of what is not square.
    ///
    /// - Parameters:
    ///   - bytes: of a JPEG or PNG file; any are safe.
    ///   - name: for errors.
    /// - Throws: ``AudioError/undecodable(name:reason:)`` or, for too many pixels, ``AudioError/unsupported(name:reason:)``.
    public init(_ bytes: [UInt8], name: String) throws(AudioError) {
        guard bytes.count <= Self.mostSourceBytes else {
            throw .unsupported(name: name, reason: "a picture may have 8 MB")
        }
        let picture = try CoverPicture.upright(bytes, name: name)
        do throws(PictureFault) {
            jpeg = try picture.middle().fitting(side: Self.side).jpeg(quality: 85)
        } catch {
            throw error.error(name: name)
        }
    }
}
