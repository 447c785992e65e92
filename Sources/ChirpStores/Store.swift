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
