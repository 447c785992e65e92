package import ChirpHTTP

/// An `OrderedCollection` of this hub (Activity Streams 2.0, section 4.4): an outbox, followers, following.
package struct Collection: Hashable, Sendable {
    package var id: WebAddress
    /// How many there are in all; nil where that is not told.
    package var count: Int?
    /// The first page; nil where nobody is to see its items.
    package var first: WebAddress?

    package init(id: WebAddress, count: Int?, first: WebAddress? = nil) {
        self.id = id
        self.count = count
        self.first = first
    }

    package var document: DocumentValue {
        DocumentValue(members: [
            "id": .text(id.text), "type": "OrderedCollection", "totalItems": count.map { .number(Double($0)) },
            "first": first.map { .text($0.text) },
        ]).withContext
    }

    /// A page of it.
    ///
    /// - Parameters:
    ///   - items: ids, or documents without their `@context`.
    ///   - next: the page of older ones; nil on the last.
    package func page(_ address: WebAddress, items: [DocumentValue], next: WebAddress?) -> DocumentValue {
        DocumentValue(members: [
            "id": .text(address.text), "type": "OrderedCollectionPage", "partOf": .text(id.text),
            "orderedItems": .list(items), "next": next.map { .text($0.text) },
        ]).withContext
    }
}
