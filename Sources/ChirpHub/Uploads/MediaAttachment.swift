internal import ChirpCommunity
internal import FoundationEssentials

/// Sound that was sent, as Mastodon's client API tells of it (docs.joinmastodon.org/entities/MediaAttachment).
struct MediaAttachment: Encodable {
    struct Meta: Encodable {
        struct Original: Encodable {
            let duration: Double
        }
        /// Hours, minutes, seconds: `0:00:12.35`.
        let length: String
        let duration: Double
        let original: Original
    }

    let id: String
    let type = "audio"
    /// Null while it is being made.
    let url: String?
    let previewURL: String?
    let remoteURL: String? = nil
    let meta: Meta?
    let description: String?
    let blurhash: String? = nil

    init(_ item: MediaItem, clip: HubClip?, links: HubLinks) {
        id = item.id.text
        url = clip.map { links.audio($0.id) }
        previewURL = url
        description = item.description.isEmpty ? nil : item.description
        meta = clip?.sound.map { sound in
            let hundredths = Int(clamping: (min(sound.seconds, 1_000_000) * 100).rounded())
            func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
            let (minutes, seconds) = (hundredths / 6000 % 60, hundredths / 100 % 60)
            return Meta(
                length: "\(hundredths / 360_000):\(two(minutes)):\(two(seconds)).\(two(hundredths % 100))",
                duration: sound.seconds, original: Meta.Original(duration: sound.seconds))
        }
    }

    private enum CodingKeys: String, CodingKey {
        case id, type, url, meta, description, blurhash
        case previewURL = "preview_url"
        case remoteURL = "remote_url"
    }

    /// What does not exist is written as `null`: clients look for every key.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(type, forKey: .type)
        try container.encode(url, forKey: .url)
        try container.encode(previewURL, forKey: .previewURL)
        try container.encode(remoteURL, forKey: .remoteURL)
        try container.encode(meta, forKey: .meta)
        try container.encode(description, forKey: .description)
        try container.encode(blurhash, forKey: .blurhash)
    }
}
