package import ChirpAccounts
package import FoundationEssentials

/// A clip in the library. The text in it came from outside; it is plain, but not yet escaped for any format.
package struct HubClip: Hashable, Sendable {
    package var id: HubID
    package var title: String
    /// A readable name with its extension. Never used as a path.
    package var fileName: String
    package var contentType: String
    package var bytes: Int64
    /// Lower-case hexadecimal.
    package var sha256: String
    /// Nil when nobody has measured it.
    package var sound: HubSound?
    package var created: Date
    package var expires: Date?
    /// Whether those who have the link may listen.
    package var shared: Bool
    /// Whose it is; nil: the one's whose library it is.
    package var owner: AccountID?

    /// What stands where a title is needed.
    package var displayTitle: String { title.isEmpty ? "Untitled clip" : title }

    package init(
        id: HubID, title: String, fileName: String, contentType: String, bytes: Int64, sha256: String,
        sound: HubSound?,
        created: Date, expires: Date?, shared: Bool
    ) {
        self.id = id
        self.title = title
        self.fileName = fileName
        self.contentType = contentType
        self.bytes = bytes
        self.sha256 = sha256
        self.sound = sound
        self.created = created
        self.expires = expires
        self.shared = shared
    }

    /// A readable name for a clip's file, with its extension.
    ///
    /// - Parameters:
    ///   - recording: what the recording's file is called; empty for one that has no name, as those of a browser: that is called by the
    ///     clip's title, or else by the day.
    ///   - made: when the clip was made.
    package static func fileName(of recording: String, title: String, made: Date) -> String {
        let parts = recording.split(separator: ".", omittingEmptySubsequences: false)
        let stem = parts.count > 1 ? parts.dropLast().joined(separator: ".") : recording
        guard stem.isEmpty else { return "\(stem).mp3" }
        let name = title.isEmpty ? "Chirp \(made.formatted(.iso8601.year().month().day()))" : String(title.prefix(60))
        // What file systems take for something else.
        return String(name.map { "/\\:*?\"<>|".contains($0) ? "_" : $0 }) + ".mp3"
    }
}

/// What the hub shows of a clip's sound. It is measured by whoever saves the clip, because the hub decodes nothing.
public struct HubSound: Hashable, Sendable {
    /// The length in seconds, 0 or more.
    public var seconds: Double
    /// The highest magnitude of each of equally long stretches, 255 being full scale; a picture needs about 200.
    public var peaks: [UInt8]

    /// More peaks than this are not kept.
    public static let mostPeaks = 4096

    public init(seconds: Double, peaks: [UInt8] = []) {
        self.seconds = seconds.isFinite ? max(seconds, 0) : 0
        self.peaks = Array(peaks.prefix(Self.mostPeaks))
    }
}
