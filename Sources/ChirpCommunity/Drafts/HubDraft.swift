package import ChirpAccounts
package import FoundationEssentials
internal import GRDB

/// A recording that waits to be published: what was sent, what is to become of it, and the clip that was made for that. Its text
/// came from outside; it is plain, but not yet escaped for any format.
package struct HubDraft: Hashable, Sendable {
    /// Of the upload too.
    package let id: HubID
    package let owner: AccountID
    package let created: Date
    /// What decides the clip's bytes.
    package let wish: Wish
    /// The words of the post.
    package let text: String
    /// The id that the clip of this wish has, made or not.
    package let take: HubID
    /// Its last byte has come.
    package let isReceived: Bool
    /// The clip of this wish; nil until it is made.
    package let made: Made?
    /// Why there is none.
    package let why: String?
    /// The whole recording; nil until it was looked at.
    package let recording: HubSound?
    /// What it was published as.
    package let published: Published?

    package struct Wish: Hashable, Sendable {
        package var title: String
        /// Where the clip begins and ends, in seconds of the recording; nil: where sound does.
        package var from: Double?
        package var to: Double?

        package init(title: String, from: Double? = nil, to: Double? = nil) {
            self.title = title
            self.from = from
            self.to = to
        }
    }

    package struct Made: Hashable, Sendable {
        package var bytes: Int64
        /// Lower-case hexadecimal.
        package var sha256: String
        package var sound: HubSound
        /// What was found and done, as JSON.
        package var receipt: String?

        package init(bytes: Int64, sha256: String, sound: HubSound, receipt: String?) {
            self.bytes = bytes
            self.sha256 = sha256
            self.sound = sound
            self.receipt = receipt
        }
    }

    /// The post, as it was when it was made.
    package struct Published: Hashable, Sendable {
        package let clip: HubID
        package let post: String
        package let text: String
    }

    package enum State: String, Hashable, Sendable { case receiving, making, ready, refused }

    package var state: State {
        guard isReceived else { return .receiving }
        return made != nil ? .ready : why != nil ? .refused : .making
    }

    /// Nothing is left to be done for it by itself.
    package var isSettled: Bool { published != nil || state != .making && recording != nil }

    /// So many peaks of a recording are kept.
    package static let mostPeaks = 512
    /// A draft stays for so many seconds after it was last touched.
    package static let patience = 7 * 24 * 3600.0
    /// The most characters of a draft's words: more than any post has.
    package static let longestText = 10_000
}

extension HubDraft {
    /// Of its tables, joined.
    static let columns = """
        drafts.*, media.owner AS mediaOwner, media.state AS mediaState, media.created AS mediaCreated
        """

    init?(row: Row) {
        guard let id = HubID(row["id"] as String), let take = HubID(row["take"] as String) else { return nil }
        self.id = id
        self.take = take
        owner = AccountID(rawValue: row["mediaOwner"])
        created = HubLibrary.date(row["mediaCreated"])
        wish = Wish(title: row["title"], from: row["start"], to: row["stop"])
        (text, why) = (row["text"], row["why"])
        isReceived = row["mediaState"] != "receiving"
        let (bytes, sha256): (Int64?, String?) = (row["bytes"], row["sha256"])
        let (seconds, peaks): (Double?, Data?) = (row["seconds"], row["peaks"])
        if let bytes, let sha256 {
            made = Made(
                bytes: bytes, sha256: sha256, sound: HubSound(seconds: seconds ?? 0, peaks: Array(peaks ?? Data())),
                receipt: row["receipt"])
        } else {
            made = nil
        }
        let (length, outline): (Double?, Data?) = (row["length"], row["outline"])
        recording = length.map { HubSound(seconds: $0, peaks: Array((outline ?? Data()).prefix(Self.mostPeaks))) }
        let (post, shared): (String?, String?) = (row["post"], row["shared"])
        published = post.map { Published(clip: take, post: $0, text: shared ?? "") }
    }
}
