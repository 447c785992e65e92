package import ChirpAccounts
package import FoundationEssentials
internal import GRDB

/// A film, or sound alone, that somebody has sent or is sending: it is received, checked, and then ready or refused. What others see of it was made here of pictures and
/// sound; what was sent stays as it was, for those who judge, and is shown to nobody.
package struct HubFilm: Hashable, Sendable {
    package enum State: String, Hashable, Sendable, CaseIterable { case receiving, checking, ready, refused }

    /// The files of a ready one.
    package enum File: String, Hashable, Sendable, CaseIterable {
        /// As it was sent, byte for byte, with whatever is in it.
        case original
        /// MP4 (H.264, AAC), 720p at most, with the timer if one was wanted; of sound alone MP4 (AAC).
        case shown
        /// MP4, the same without the timer, for who judges; there is none where ``shown`` has no timer.
        case plain
        /// FLAC: what is heard in ``original``, from its beginning on.
        case sound
        /// MP4 without sound, 4 s and 400 kB at most; of sound alone there is none.
        case preview
        /// JPEG; of sound alone there is none.
        case poster

        /// What its name ends in.
        var ending: String {
            switch self {
            case .original: "film"
            case .shown, .plain, .preview: "mp4"
            case .sound: "flac"
            case .poster: "jpg"
            }
        }

        /// As an answer has it; nil: it is sent to nobody.
        package var type: String? {
            switch self {
            case .original: nil
            case .shown, .plain, .preview: "video/mp4"
            case .sound: "audio/flac"
            case .poster: "image/jpeg"
            }
        }
    }

    /// What there is to know of a ready one.
    package struct Facts: Hashable, Sendable {
        /// How long the shown copy is, in ms.
        package let milliseconds: Int
        /// Of the shown copy, in pixels; 0 of sound alone.
        package let width, height: Int
        package let hasSound: Bool
        /// Whether a timer is in the shown copy.
        package let hasTimer: Bool

        package init(milliseconds: Int, width: Int, height: Int, hasSound: Bool, hasTimer: Bool) {
            self.milliseconds = milliseconds
            (self.width, self.height) = (width, height)
            (self.hasSound, self.hasTimer) = (hasSound, hasTimer)
        }

        /// Whether there is more in it than sound.
        package var hasPictures: Bool { width > 0 && height > 0 }

        /// Whether a file belongs to such a one.
        package func has(_ file: File) -> Bool {
            switch file {
            case .original, .shown: true
            case .plain: hasTimer
            case .sound: hasSound
            case .preview, .poster: hasPictures
            }
        }
    }

    package let id: HubID
    package let owner: AccountID
    package let state: State
    /// Why it was refused; plain text in English, not yet escaped.
    package let why: String?
    /// Where in it the timer is to begin that the shown copy has, in ms; nil: none is wanted.
    package let timer: Int?
    /// Nil until it is ready.
    package let facts: Facts?
    /// Of all its files.
    package let bytes: Int64
    package let created: Date
    /// When all of what was sent was here; nil before that, and of a film of an earlier release.
    package let received: Date?
    /// Nil: it is no track, but a film, or sound that shows something.
    package let track: Track?

    /// What there is of a track beside the file that was sent.
    package struct Track: Hashable, Sendable {
        /// What others hear of it; nil until it is ready, and when its owner has removed that.
        package let clip: HubID?
        /// What was found in it, as JSON of whoever listened; empty until it is ready.
        package let findings: String
    }
}

/// What was made of a film, with the file that was sent.
package struct MadeFilm: Sendable {
    package struct File: Hashable, Sendable {
        package let name: HubFilm.File
        package let bytes: Int64
        /// Lower-case hexadecimal.
        package let sha256: String

        package init(name: HubFilm.File, bytes: Int64, sha256: String) {
            (self.name, self.bytes, self.sha256) = (name, bytes, sha256)
        }
    }

    package let facts: HubFilm.Facts
    /// They are in their places.
    package let files: [File]

    package init(facts: HubFilm.Facts, files: [File]) { (self.facts, self.files) = (facts, files) }
}

/// What was made of a track.
package struct MadeTrack: Sendable {
    /// How long what was sent is, in ms.
    package let milliseconds: Int
    /// The file that was sent; it is in its place.
    package let master: MadeFilm.File
    /// What others hear, with its owner; its file is in its place.
    package let preview: HubClip
    /// As JSON.
    package let findings: String

    package init(milliseconds: Int, master: MadeFilm.File, preview: HubClip, findings: String) {
        self.milliseconds = milliseconds
        (self.master, self.preview, self.findings) = (master, preview, findings)
    }
}

extension HubFilm {
    /// Nil for a row that makes no sense.
    init?(row: Row) {
        guard let id = HubID(row["id"] as String), let state = State(rawValue: row["state"]) else { return nil }
        var facts: Facts?
        if let milliseconds: Int = row["milliseconds"], let width: Int = row["width"], let height: Int = row["height"] {
            facts = Facts(
                milliseconds: milliseconds, width: width, height: height, hasSound: row["sound"], hasTimer: row["timed"]
            )
        }
        self.init(
            id: id, owner: row["owner"], state: state, why: row["why"], timer: row["timer"], facts: facts,
            bytes: row["bytes"], created: HubLibrary.date(row["created"]),
            received: (row["received"] as Int64?).map(HubLibrary.date),
            track: (row["track"] as Bool)
                ? Track(clip: (row["clip"] as String?).flatMap { HubID($0) }, findings: row["findings"] ?? "") : nil)
    }
}
