extension OutgoingActivity {
    /// With its `@context`, to be sent.
    package var document: DocumentValue { .null }
    /// Without it, as an item of an outbox.
    package var item: DocumentValue { .null }
}
