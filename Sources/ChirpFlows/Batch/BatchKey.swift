package import ChirpClips
internal import ChirpCodecs
internal import ChirpCore
internal import ChirpFiles
package import ChirpJournal
internal import ChirpMP3

/// The settings that shape a clip, as one hash; what has no effect on a clip is left out of its hash.
///
/// So a change of settings redoes exactly what it affects: a cap of ten minutes only the longer clips, `--keep-tags` only
/// those of recordings that have tags.
package struct BatchKey: Sendable {
    /// Raised when the same settings give other bytes than before and old clips shall be made again.
    private static let generation = 1

    private let maximumLength: Double?
    private let maximumBytes: Int64?
    private let keepsTags: Bool
    /// By which of the three settings that may be without effect have one.
    private let hashes: [Effects: String]

    /// Which settings that concern only some clips have an effect on one.
    private struct Effects: Hashable {
        var caps = false
        var limits = false
        var tags = false
    }

    private struct Text: Encodable {
        var generation: Int
        var request: ClipRequest
        var cover: String?
        var keepsTags: Bool
    }

    package init(_ request: ClipRequest, keepsTags: Bool) {
        maximumLength = request.policy.maximumLength.map { $0 / .seconds(1) }
        maximumBytes = request.maximumBytes?.bytes
        self.keepsTags = keepsTags
        var plain = request
        plain.source = ClipSource(path: "", name: "", sha256: "")
        plain.jobs = 1
        if !plain.policy.normalises { plain.policy.target = EditPolicy().target }
        let cover = plain.tag.cover.map { FileDigest.sha256(of: $0) }
        plain.tag.cover = nil
        var hashes: [Effects: String] = [:]
        for caps in [false, true] {
            for limits in [false, true] {
                for tags in [false, true] {
                    var request = plain
                    if !caps { request.policy.maximumLength = nil }
                    if !limits { request.maximumBytes = nil }
                    let text = Text(generation: Self.generation, request: request, cover: cover, keepsTags: tags)
                    hashes[Effects(caps: caps, limits: limits, tags: tags)] = FileDigest.sha256(
                        of: JSONText.encode(text))
                }
            }
        }
        self.hashes = hashes
    }

    /// The hash for a clip.
    ///
    /// - Parameters:
    ///   - uncappedSeconds: its length when no cap shortened it.
    ///   - unlimitedBytes: its size when no limit lowered its rate.
    ///   - hasTags: the recording has tags.
    package func sha256(uncappedSeconds: Double?, unlimitedBytes: Int64?, hasTags: Bool) -> String {
        let effects = Effects(
            caps: maximumLength.map { limit in uncappedSeconds.map { $0 > limit } ?? true } ?? false,
            limits: maximumBytes.map { limit in unlimitedBytes.map { $0 > limit } ?? true } ?? false,
            tags: keepsTags && hasTags)
        return hashes[effects] ?? ""
    }

    /// The hash that a known clip would have under these settings.
    package func sha256(for clip: BatchClipRecord) -> String {
        sha256(uncappedSeconds: clip.uncappedSeconds, unlimitedBytes: clip.unlimitedBytes, hasTags: clip.hasTags)
    }
}
