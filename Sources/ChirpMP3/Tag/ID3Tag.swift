/// What a listener's player shows about a clip: only what the user gave, never a path, a device or a clock (CH-14).
///
/// Written as ID3v2.4 (id3.org, "ID3 tag version 2.4.0 - Native Frames"). An empty value writes no tag at all.
public struct ID3Tag: Hashable, Sendable, Codable {
    public var title: String?
    public var artist: String?
    public var album: String?
    public var comment: String?
    /// The address of the clip's page.
    public var link: String?
    /// A JPEG or PNG file's bytes, at most ``mostCoverBytes``.
    public var cover: [UInt8]?
    /// In order of their start, at most 255.
    public var chapters: [ID3Chapter]

    /// A larger cover is not written: a clip is sent over slow connections.
    public static let mostCoverBytes = 16 << 20

    public init(
        title: String? = nil, artist: String? = nil, album: String? = nil, comment: String? = nil, link: String? = nil,
        cover: [UInt8]? = nil, chapters: [ID3Chapter] = []
    ) {
        self.title = title
        self.artist = artist
        self.album = album
        self.comment = comment
        self.link = link
        self.cover = cover
        self.chapters = chapters
    }
}

/// A named part of a clip that players can jump to.
public struct ID3Chapter: Hashable, Sendable, Codable {
    public var title: String
    /// Where it begins, from the start of the clip.
    public var start: Duration
    /// Where it ends; not before `start`.
    public var end: Duration

    public init(title: String, start: Duration, end: Duration) {
        self.title = title
        self.start = start
        self.end = end
    }
}
