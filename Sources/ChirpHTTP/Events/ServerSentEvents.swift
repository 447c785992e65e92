internal import ChirpCore

/// Takes an event stream apart (`text/event-stream`; HTML standard, section 9.2.6) as its bytes come, however they are cut.
///
/// Lines end with CR, LF or both. A stranger's stream is bounded: a line, and the data of one event, may have ``most`` bytes. What
/// is larger costs its own event alone, which comes without its data.
public struct ServerSentEvents: Sendable {
    public struct Event: Hashable, Sendable {
        /// `message` unless the stream says otherwise.
        public var name: String
        public var data: String
        /// The id of this event or of the last one that had one; empty before.
        public var id: String
        /// It was larger than ``most``: its data is left out, and perhaps its name.
        public var isCutShort: Bool

        public init(name: String, data: String, id: String, isCutShort: Bool = false) {
            self.name = name
            self.data = data
            self.id = id
            self.isCutShort = isCutShort
        }
    }

    /// Bytes of a line, and of the data of one event: far above any post.
    public static let most = 1 << 20
    /// Bytes of one event that are passed over before the stream is given up: one that never ends brings no news.
    public static let mostPassedOver = 64 << 20
    /// An id goes into the head of the next request, so a longer one is not taken.
    private static let longestID = 4096
    /// No server decides that a listener comes back only after days.
    private static let longestRetry = Duration.seconds(300)

    /// What to name when connecting again (`Last-Event-ID`): the id of the last complete event.
    public private(set) var lastID = ""
    /// How long the service asks to wait before connecting again; nil when it does not say.
    public private(set) var retry: Duration?

    private let host: String
    private var line: [UInt8] = []
    private var isFirstLine = true
    /// The last byte was a CR: an LF behind it belongs to the same line end.
    private var endsWithCR = false
    private var name = ""
    private var data = ""
    private var hasData = false
    private var id = ""
    /// Of this line no more is kept; of this event no data.
    private var passesOverLine = false
    private var isCutShort = false
    /// Of this event.
    private var passedOver = 0

    /// - Parameters:
    ///   - host: for errors.
    ///   - lastID: of the connection before, which the service continues.
    public init(host: String, lastID: String = "") {
        self.host = host
        self.lastID = lastID
        id = lastID
    }

    /// The events that are complete with these bytes. What is left at the end of a stream is no event.
    ///
    /// - Throws: ``HTTPError/tooLarge(host:limit:)`` for an event of more than ``mostPassedOver``; nothing after that makes sense.
    public mutating func take(_ bytes: [UInt8]) throws(HTTPError) -> [Event] {
        var events: [Event] = []
        for byte in bytes {
            let follows = endsWithCR && byte == 0x0A
            endsWithCR = byte == 0x0D
            if follows { continue }
            guard byte == 0x0A || byte == 0x0D else {
                if passesOverLine {
                    try passOver(1)
                } else if line.count < Self.most {
                    line.append(byte)
                } else {
                    try passOver(line.count + 1)
                    line = []
                    (passesOverLine, isCutShort) = (true, true)
                }
                continue
            }
            if passesOverLine {
                passesOverLine = false
                continue
            }
            // Only whole lines are read as UTF-8, so no character is ever cut.
            var text = String(decoding: line, as: UTF8.self)
            line.removeAll(keepingCapacity: line.capacity <= 65_536)
            if isFirstLine, text.unicodeScalars.first == "\u{FEFF}" { text.unicodeScalars.removeFirst() }
            isFirstLine = false
            if let event = try take(line: text) { events.append(event) }
        }
        return events
    }

    /// - Returns: an event when the line was its end.
    private mutating func take(line: String) throws(HTTPError) -> Event? {
        guard !line.isEmpty else { return finish() }
        let colon = line.utf8.firstIndex(of: UInt8(ascii: ":"))
        let field = line[..<(colon ?? line.endIndex)]
        var value = colon.map { line[line.utf8.index(after: $0)...] } ?? ""
        if value.utf8.first == UInt8(ascii: " ") { value = value[value.utf8.index(after: value.startIndex)...] }
        switch field {
        case "event": name = String(value)
        case "data":
            guard !isCutShort, data.utf8.count + value.utf8.count < Self.most else {
                try passOver(data.utf8.count + value.utf8.count)
                (data, isCutShort) = ("", true)
                return nil
            }
            if hasData { data += "\n" }
            data += value
            hasData = true
        case "id" where !value.utf8.contains(0) && value.utf8.count <= Self.longestID: id = String(value)
        case "retry" where !value.isEmpty && value.utf8.allSatisfy { (0x30...0x39).contains($0) }:
            retry = Int(value).map { min(.milliseconds($0), Self.longestRetry) } ?? Self.longestRetry
        default: break  // Comments have an empty name; what is unknown is passed over.
        }
        return nil
    }

    private mutating func finish() -> Event? {
        defer { (name, data, hasData, isCutShort, passedOver) = ("", "", false, false, 0) }
        lastID = id
        guard hasData || isCutShort else { return nil }
        return Event(
            name: name.isEmpty ? "message" : name, data: isCutShort ? "" : data, id: id, isCutShort: isCutShort)
    }

    private mutating func passOver(_ count: Int) throws(HTTPError) {
        passedOver += count
        guard passedOver <= Self.mostPassedOver else { throw tooLarge }
    }

    private var tooLarge: HTTPError { .tooLarge(host: host, limit: ByteCount(Self.mostPassedOver)) }
}
