extension LocalActor {
    /// With its `@context`.
    package var document: DocumentValue { .null }
}
