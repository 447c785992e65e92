public import FoundationEssentials

/// A store that says what it holds, and so one from which something is found whose id nobody has written down: the backup of a machine
/// that is gone.
public protocol ListingStore: Store {
    /// The ids of all objects that begin so, in no order.
    ///
    /// - Parameter prefix: ASCII letters, digits and `-`; not empty.
    /// - Throws: also when there are more than ``StoredObject/mostListed``.
    func ids(beginningWith prefix: String) async throws(StoreError) -> [StoredObject.ID]

    /// Removes what attempts that died have left half stored, as far as the store shows it. Repeatable.
    func tidy(at now: Date) async throws(StoreError)
}

extension ListingStore {
    /// Most leave nothing.
    public func tidy(at now: Date) async throws(StoreError) {}
}

extension StoredObject {
    /// The most ids of one list.
    public static var mostListed: Int { 10_000 }

    static func checkListed(_ count: Int) throws(StoreError) {
        guard count <= mostListed else {
            throw .refused(status: 0, detail: "it holds more than \(mostListed) objects of such names")
        }
    }
}
