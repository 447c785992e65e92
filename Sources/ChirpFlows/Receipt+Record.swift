internal import ChirpClips
internal import ChirpJournal

extension Receipt {
    /// The receipt that a row holds.
    init(of record: PublicationRecord) throws(PublishFailure) {
        guard let receipt = JSONText.decode(Receipt.self, from: record.receipt) else {
            throw .journal(.corrupt(path: "publication \(record.id)", reason: "it holds no readable receipt"))
        }
        self = receipt
    }
}
