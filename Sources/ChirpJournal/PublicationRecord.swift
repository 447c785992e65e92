internal import ChirpCore
public import FoundationEssentials
public import GRDB

/// One publication: what was promised and how far it has come. A row before work begins, changed after every step.
///
/// The journal keeps it and has no opinion on it. Times are UTC.
public struct PublicationRecord: Codable, Hashable, Sendable, Identifiable {
    /// A short random name; what `chirp outbox drop ID` takes.
    public let id: String
    public var state: PublicationState
    /// What it becomes when it has been withdrawn.
    public var outcome: PublicationState?

    /// Lower-case hexadecimal SHA-256 of the recording.
    public var inputSHA256: String
    /// Lower-case hexadecimal SHA-256 of every setting that shapes the clip, the post or its place.
    public var settingsSHA256: String
    /// What the user calls the recording.
    public var inputName: String
    /// Where the recording lies: the user's own file, or the spooled copy of a pipe in the outbox folder.
    public var inputPath: String
    /// The recording is the outbox's own copy and goes with the publication.
    public var inputIsSpooled: Bool
    /// How the clip is to be made, as JSON.
    public var order: String

    /// The finished clip in the outbox folder; nil before it is made and after it is not needed any more.
    public var clipPath: String?
    public var clipBytes: Int64?
    public var clipSHA256: String?
    /// The receipt so far, as JSON.
    public var receipt: String?

    public var title: String
    /// The user's extra words for the share text.
    public var words: String
    /// When the clip is to be removed again; nil for never.
    public var expires: Date?

    public var storeName: String
    /// Which store of that name: a folder, a server, an account.
    public var storePlace: String
    public var objectID: String?
    /// The open upload session: a bearer secret at some stores, so it is wiped when the upload is over.
    public var session: String?
    public var confirmedBytes: Int64
    public var link: String?

    public var networkName: String
    /// Which network of that name: the hub that somebody is signed in to.
    public var networkPlace: String
    public var shareText: String?
    public var postID: String?
    public var postURL: String?

    /// How many attempts have failed for now.
    public var attempts: Int
    /// The last failure as it was shown; nil when the last attempt went well.
    public var lastError: String?
    /// Not before then is it tried again in the background.
    public var nextAttempt: Date?
    /// When a person stopped it; nothing goes on with it then until a person says so. Nil when nobody has.
    public var stopped: Date?
    public var created: Date
    public var updated: Date

    /// A process is working on it, or has died of it. Cleared whenever work ends in any other way.
    public var isInHand = false
    /// How often a process has died while it had it in hand.
    public var deaths = 0

    /// After so many deaths nothing goes on with it in the background; a person may try it again.
    public static let mostDeaths = 2
    /// Whether it waits for a person, because processes have died of it.
    public var isSetAside: Bool { deaths >= Self.mostDeaths && state.isOpen }

    public init(
        id: String, state: PublicationState = .begun, inputSHA256: String, settingsSHA256: String, inputName: String,
        inputPath: String, inputIsSpooled: Bool = false, order: String, title: String = "", words: String = "",
        expires: Date? = nil, storeName: String, storePlace: String = "", networkName: String,
        networkPlace: String = "", created: Date
    ) {
        self.id = id
        self.state = state
        self.inputSHA256 = inputSHA256
        self.settingsSHA256 = settingsSHA256
        self.inputName = inputName
        self.inputPath = inputPath
        self.inputIsSpooled = inputIsSpooled
        self.order = order
        self.title = title
        self.words = words
        self.expires = expires
        self.storeName = storeName
        self.storePlace = storePlace
        confirmedBytes = 0
        self.networkName = networkName
        self.networkPlace = networkPlace
        attempts = 0
        self.created = created
        updated = created
    }
}

extension PublicationRecord: FetchableRecord, PersistableRecord {
    public static var databaseTableName: String { "publication" }
    public static func databaseDateEncodingStrategy(for column: String) -> DatabaseDateEncodingStrategy {
        .boundedDates
    }
}

extension DatabaseDateEncodingStrategy {
    /// GRDB writes `yyyy-MM-dd HH:mm:ss.SSS` and reads years of four digits only, so an instant of a clock that is set wrongly is
    /// brought within them.
    static var boundedDates: DatabaseDateEncodingStrategy { .custom { $0.bounded } }
}
