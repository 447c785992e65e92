extension IncomingActivity {
    /// Reads what came to an inbox.
    ///
    /// - Throws: what an activity of its type cannot do without; of types that are not known nothing is read but id and actor.
    package init(reading bytes: [UInt8]) throws(DocumentError) { throw .notJSON }
}
