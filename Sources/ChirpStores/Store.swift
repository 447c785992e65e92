public import ChirpCore

/// Where the bytes of clips live.
///
/// Every operation may be repeated after a crash or a lost answer: ``reserve()`` gives an id that the caller writes down,
/// ``save(_:id:checkpoint:)`` with the same id stores one object however often it runs, ``remove(_:)`` of what is gone
/// succeeds. Retry, narrowing and dry runs are decorators; a store knows nothing of them.
public protocol Store: Sendable {
    var properties: StoreProperties { get }

    /// The room left. Advice, not a promise: ``save(_:id:checkpoint:)`` may still answer ``StoreError/full(needed:free:)``.
    func quota() async throws(StoreError) -> Quota

    /// An id for an object that does not exist yet. Nothing is stored.
    func reserve() async throws(StoreError) -> StoredObject.ID

    /// Stores the payload under a reserved id, atomically: it is there whole or not at all. When that id already holds the
    /// same bytes it returns at once.
    func save(_ payload: Payload, id: StoredObject.ID, checkpoint: UploadCheckpoint) async throws(StoreError)
        -> StoredObject

    /// Fetches an object into a file that must not exist yet; it appears only when whole.
    func load(_ id: StoredObject.ID, to path: String) async throws(StoreError)

    /// Removes an object for good, its link included. Succeeds when there is none.
    func remove(_ id: StoredObject.ID) async throws(StoreError)

    /// Makes the object readable by anyone who has the link, and returns that link. Repeating it gives the same link.
    func share(_ id: StoredObject.ID) async throws(StoreError) -> String
}

/// A clip that a store holds.
public struct StoredObject: Hashable, Sendable {
    /// The store's own name for it; opaque, unique within the store, safe to keep for ever.
    public struct ID: Hashable, Sendable, Codable, CustomStringConvertible {
        public let text: String
        public init(_ text: String) { self.text = text }
        public var description: String { text }
    }

    public let id: ID
    public let bytes: Int64

    public init(id: ID, bytes: Int64) {
        self.id = id
        self.bytes = bytes
    }
}

/// Facts about a store that callers may ask for before they try.
public struct StoreProperties: Hashable, Sendable {
    /// As in `--store NAME`.
    public var name: String
    /// Which one of that name: the folder's path, the server's address, the account. Empty when there is only one.
    /// Written into the journal, so that a publication is resumed and removed where it was begun.
    public var place: String
    /// How many transfers at once are sensible, 1 or more.
    public var connections: Int
    /// Whether ``Store/share(_:)`` can give a link that others can open.
    public var canShare: Bool

    public init(name: String, place: String = "", connections: Int = 1, canShare: Bool) {
        self.name = name
        self.place = place
        self.connections = connections
        self.canShare = canShare
    }
}

/// The room of a store as far as it tells. What is unknown is nil, never zero; an unlimited store has no `free` and says so.
public struct Quota: Hashable, Sendable {
    public var limit: ByteCount?
    public var used: ByteCount?
    /// Bytes that can still be stored. Nil: unknown or unlimited.
    public var free: ByteCount?
    /// The store has stated that there is no limit.
    public var unlimited: Bool

    public init(limit: ByteCount? = nil, used: ByteCount? = nil, free: ByteCount? = nil, unlimited: Bool = false) {
        self.limit = limit
        self.used = used
        self.free = free
        self.unlimited = unlimited
    }
}

/// How an upload survives the process: what an earlier run had recorded, and where to record more.
public struct UploadCheckpoint: Sendable {
    /// What an earlier run recorded as the open session; a bearer secret at some stores, so never logged. Nil: none.
    public var session: String?
    /// Called with the session as soon as it exists, and with each number of bytes that the store has confirmed.
    /// Returns only when the journal has it.
    public var record: @Sendable (_ session: String?, _ confirmedBytes: Int64) async -> Void
    /// Told how many bytes are on their way, confirmed or not, for people to see. It must be quick, and may hear less than before
    /// when something is sent again.
    public var sent: @Sendable (_ bytes: Int64) -> Void = { _ in }

    public init(
        session: String? = nil,
        record: @escaping @Sendable (_ session: String?, _ confirmedBytes: Int64) async -> Void = { _, _ in }
    ) {
        self.session = session
        self.record = record
    }
}
