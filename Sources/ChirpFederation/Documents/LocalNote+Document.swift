extension LocalNote {
    /// With its `@context`.
    package var document: DocumentValue { .null }
}
