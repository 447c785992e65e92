internal import ChirpAccounts
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpWeb
internal import FoundationEssentials
internal import Hummingbird
internal import NIOCore
internal import ServiceLifecycle

/// What happens to a frame, as it happens: server-sent events (HTML standard, section 9.2).
///
/// A signal only says that it is worth looking. What is told follows from the tables: updates behind the screen's place, in order and once
/// each, whatever signals were lost and however often the connection broke.
struct FrameStream: Sendable {
    let desk: FrameDesk

    var route: WebRoute {
        .api(
            .get, "\(FrameDesk.base)/events", .everybody, scope: .open,
            summary: "Updates of the frame and changes to it, as they come",
            query: [.number("after", "the id of the last update that was told")], givesType: "text/event-stream"
        ) { request, context in
            let frame = try await desk.frame(request)
            guard let token = desk.token(request) else { throw FrameDesk.noFrame(nil) }
            var place = try request.cursor("after") ?? PageCursor(frame.seen)
            if let last = request.headers[.lastEventID] {
                guard let named = PageCursor(last) else { throw HTTPError(.badRequest) }
                place = named
            }
            let telling = FrameTelling(desk: desk, token: token, place: place)
            let language = Language.current
            return try context.events(desk.shares, account: "frame \(frame.id)") { writer in
                try await tell(telling, language, context, &writer)
            }
        }
    }

    @concurrent
    private func tell(
        _ telling: FrameTelling, _ language: Language, _ context: WebContext, _ writer: inout any ResponseBodyWriter
    ) async throws {
        var telling = telling
        let (signals, signal) = AsyncStream<LibraryWatch.Signal>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let ear = desk.watch.listen { signal.yield($0) }
        let endHearing = context.onHangUp { signal.finish() }
        defer {
            desk.watch.leave(ear)
            endHearing()
            signal.finish()
        }
        try await writer.write(ByteBuffer(string: "retry: 1000\nid: \(telling.place)\n\n"))
        // A server that stops waits for answers to end: this one ends at once, and the screen comes back by itself.
        signal.yield(.changed)
        for await heard in signals.cancelOnGracefulShutdown() {
            let events = try await Language.$current.withValue(language) {
                try await telling.events(isPulse: heard == .alive)
            }
            if !events.isEmpty { try await writer.write(ByteBuffer(bytes: events)) }
            if telling.isOver { return }
        }
    }
}

/// What one screen was told, and what it is to be told next.
struct FrameTelling: Sendable {
    let desk: FrameDesk
    let token: OpaqueToken
    /// It was told everything up to this update.
    private(set) var place: PageCursor
    /// The frame has ended, and it was told so.
    private(set) var isOver = false
    private var version: Int64?
    private var contact: Date?

    private static let batch = 50

    init(desk: FrameDesk, token: OpaqueToken, place: PageCursor) {
        (self.desk, self.token, self.place) = (desk, token, place)
    }

    /// The events that are due, as bytes.
    ///
    /// - Parameter isPulse: it is time to show that the connection is alive.
    mutating func events(isPulse: Bool) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        guard let found = try await desk.frame(of: token) else {
            isOver = true
            let why = try await desk.library.frameEnd(of: token) ?? .ended
            var json = JSONText()
            json.object { json in
                json.field("why", why.sentence)
                json.field("kind", why.rawValue)
            }
            return Self.event("ended", json.bytes)
        }
        let frame = try await desk.settled(found)
        if frame.version != version {
            version = frame.version
            bytes += Self.event("frame", try await desk.document(frame).bytes)
        }
        while frame.step == .watch {
            let updates = try await desk.library.updates(of: frame, after: place, limit: Self.batch)
            for update in updates {
                place = PageCursor(update.id)
                guard let document = desk.document(update, of: frame) else { continue }
                var json = JSONText()
                document.write(&json, prefix: desk.links.prefix)
                bytes += Self.event("update", json.bytes, id: update.id)
            }
            if updates.count < Self.batch { break }
        }
        // At this hub the network is the hub, which answers at this moment.
        let answered = frame.network == .hub ? (isPulse ? desk.library.now() : contact) : frame.contact
        if let answered, answered != contact {
            contact = answered
            var json = JSONText()
            json.object { $0.field("at", answered) }
            bytes += Self.event("contact", json.bytes)
        }
        if bytes.isEmpty, isPulse { bytes = Array(":\n\n".utf8) }
        return bytes
    }

    private static func event(_ name: String, _ data: [UInt8], id: Int64? = nil) -> [UInt8] {
        Array("\(id.map { "id: \($0)\n" } ?? "")event: \(name)\ndata: ".utf8) + data + Array("\n\n".utf8)
    }
}
