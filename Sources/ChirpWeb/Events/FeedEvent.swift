internal import FoundationEssentials
internal import NIOCore

/// One event of a feed, in the bytes that go to every listener (HTML standard, section 9.2).
package struct FeedEvent: Sendable {
    /// Its place in the feed's order: 1 or more, and greater than those before.
    package let id: Int64
    /// Encoded once. All listeners' queues refer to the same bytes.
    let bytes: ByteBuffer
    /// The accounts that it is for; nil means everybody.
    let audience: Set<String>?
    /// How other events refer to what this one tells of.
    let subject: String

    /// - Parameters:
    ///   - name: a plain word.
    ///   - data: one line of UTF-8.
    package init(
        id: Int64, name: String, data: some Collection<UInt8>, audience: Set<String>? = nil, subject: String = ""
    ) {
        self.id = id
        self.audience = audience
        self.subject = subject
        bytes = Self.encode(id: id, name: name, data: data)
    }

    /// One without a place: who comes back is not told it again, and its listener's place stays that of the last event that has one.
    ///
    /// - Parameter person: the account that it is for.
    package init(aside name: String, data: some Collection<UInt8>, for person: String) {
        id = 0
        audience = [person]
        subject = ""
        bytes = Self.encode(id: nil, name: name, data: data)
    }

    static func encode(id: Int64?, name: String, data: some Collection<UInt8>) -> ByteBuffer {
        var buffer = ByteBuffer()
        buffer.reserveCapacity(data.count + name.utf8.count + 48)
        if let id { buffer.writeString("id: \(id)\n") }
        buffer.writeString("event: \(name)\ndata: ")
        buffer.writeBytes(data)
        buffer.writeString("\n\n")
        return buffer
    }

    func isFor(_ person: String?) -> Bool {
        guard let audience else { return true }
        return person.map(audience.contains) ?? false
    }
}

/// The newest events of a feed. Who is not further behind than these needs nothing from the source.
struct FeedRing: Sendable {
    /// Everything behind this place is here.
    private(set) var floor: Int64
    /// Up to where the source was read.
    private(set) var newest: Int64
    private(set) var events: [FeedEvent] = []
    private var size = 0

    /// Most of them, and the bytes that they may take together.
    static let most = 512
    static let mostBytes = 4 << 20

    init(at place: Int64) { (floor, newest) = (place, place) }

    /// - Parameter found: in order, all behind ``newest``.
    mutating func append(_ found: [FeedEvent]) {
        for event in found where event.id > newest {
            events.append(event)
            size += event.bytes.readableBytes
            newest = event.id
        }
        var dropped = 0
        while events.count - dropped > Self.most || size > Self.mostBytes, dropped < events.count {
            size -= events[dropped].bytes.readableBytes
            floor = events[dropped].id
            dropped += 1
        }
        events.removeFirst(dropped)
    }

    /// Takes out those that are no longer there.
    ///
    /// - Returns: what was taken out.
    mutating func keep(_ still: Set<Int64>, of asked: [Int64]) -> [FeedEvent] {
        let gone = Set(asked).subtracting(still)
        guard !gone.isEmpty else { return [] }
        let removed = events.filter { gone.contains($0.id) }
        events.removeAll { gone.contains($0.id) }
        size -= removed.reduce(0) { $0 + $1.bytes.readableBytes }
        return removed
    }

    /// Those behind a place; nil when some of them are no longer here.
    func events(after place: Int64) -> ArraySlice<FeedEvent>? {
        guard place >= floor else { return nil }
        // Most listeners wait for the last one.
        var first = events.endIndex
        while first > events.startIndex, events[first - 1].id > place { first -= 1 }
        return events[first...]
    }
}
