extension Journal {
    /// Takes the right to work on one publication.
    ///
    /// - Returns: nil when another process, or another task of this one, is working on it.
    public func lease(_ id: PublicationRecord.ID) throws(JournalError) -> ProcessLease? {
        try ProcessLease.take(id, path: path + ".locks")
    }
}
