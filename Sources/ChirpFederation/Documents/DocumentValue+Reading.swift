extension DocumentValue {
    /// Reads a stranger's document.
    ///
    /// - Throws: more than 1 MiB of bytes, 32 of depth or 20,000 values, and what is no JSON.
    package init(reading bytes: [UInt8]) throws(DocumentError) { throw .notJSON }

    /// JSON with its members in order of their names: the same bytes each time.
    package var bytes: [UInt8] { [] }
}
