internal import CNats
internal import ChirpCore

/// A connection to a fleet's servers: `natsConnection`. When it breaks, the library makes it anew in the background; what
/// is sent meanwhile waits for that.
///
/// The library locks the connection in every call (nats.h: "connections are thread-safe").
final class NatsHandle: @unchecked Sendable {  // Proof: the pointer is set once, and every use of it is locked.
    private let raw: OpaquePointer

    /// Connects. Blocking, for some seconds per server that does not answer.
    ///
    /// - Parameter hearsItself: what is sent here comes back to subscriptions of this connection.
    init(_ settings: FleetSettings, hearsItself: Bool = true) throws(FleetError) {
        let options = try NatsOptionsHandle()
        try options.apply(settings)
        if !hearsItself { try options.leaveOutOwn() }
        var raw: OpaquePointer?
        let status = natsConnection_Connect(&raw, options.raw)
        guard let raw, status == NATS_OK else {
            switch status {
            case NATS_CONNECTION_AUTH_FAILED, NATS_NOT_PERMITTED: throw .signedOut(servers: "\(settings.servers)")
            default:
                throw .unreachable(
                    servers: "\(settings.servers)", reason: String(cString: natsStatus_GetText(status)))
            }
        }
        self.raw = raw
    }

    deinit { natsConnection_Destroy(raw) }

    var isConnected: Bool { natsConnection_Status(raw) == NATS_CONN_STATUS_CONNECTED }

    /// It will not come back, for example because the servers have thrown this user out.
    var isClosed: Bool { natsConnection_Status(raw) == NATS_CONN_STATUS_CLOSED }

    /// The most bytes of a message, by the server.
    var largestMessage: Int { Int(natsConnection_GetMaxPayload(raw)) }

    /// A subject that nobody else listens to.
    static func inbox() -> String { "_INBOX.\(RandomName(length: 22))" }

    func subscribe(_ subject: String) throws(FleetError) -> OpaquePointer {
        var subscription: OpaquePointer?
        let status = natsConnection_SubscribeSync(&subscription, raw, subject)
        guard let subscription, status == NATS_OK else { throw failure(status) }
        return subscription
    }

    /// Sends; does not wait for anything.
    func send(_ letter: NatsLetter) throws(FleetError) {
        let message = try self.message(letter)
        defer { natsMsg_Destroy(message) }
        let status = natsConnection_PublishMsg(raw, message)
        guard status == NATS_OK else { throw failure(status, bytes: letter.payload.count) }
    }

    /// Sends and waits for the answer; nil when none comes in time, or nobody is there to answer. Blocking.
    func ask(_ letter: NatsLetter, within time: Duration) throws(FleetError) -> NatsMessage? {
        let message = try self.message(letter)
        defer { natsMsg_Destroy(message) }
        var answer: OpaquePointer?
        let status = natsConnection_RequestMsg(&answer, raw, message, max(1, Int64(time / .milliseconds(1))))
        if let answer, status == NATS_OK { return NatsMessage(consuming: answer) }
        switch status {
        case NATS_TIMEOUT, NATS_NO_RESPONDERS, NATS_CONNECTION_DISCONNECTED: return nil
        default: throw failure(status, bytes: letter.payload.count)
        }
    }

    /// Waits until the server has all that was sent. Blocking.
    func flush(within time: Duration) { natsConnection_FlushTimeout(raw, max(1, Int64(time / .milliseconds(1)))) }

    private func message(_ letter: NatsLetter) throws(FleetError) -> OpaquePointer {
        var message: OpaquePointer?
        let status = letter.payload.withUnsafeBytes { bytes in
            natsMsg_Create(
                &message, letter.subject, letter.reply, bytes.assumingMemoryBound(to: CChar.self).baseAddress,
                Int32(clamping: bytes.count))
        }
        guard let message, status == NATS_OK else { throw failure(status) }
        for header in letter.headers {
            let status = natsMsgHeader_Set(message, header.name, header.value)
            guard status == NATS_OK else {
                natsMsg_Destroy(message)
                throw failure(status)
            }
        }
        return message
    }

    private func failure(_ status: natsStatus, bytes: Int = 0) -> FleetError {
        switch status {
        case NATS_MAX_PAYLOAD: .tooLarge(bytes: bytes, limit: largestMessage)
        case NATS_INSUFFICIENT_BUFFER: .noQueue("the connection is lost, and too much waits for it")
        case NATS_CONNECTION_CLOSED: .noQueue("the connection is closed")
        default: .library(String(cString: natsStatus_GetText(status)))
        }
    }
}

/// A message to be sent.
struct NatsLetter: Sendable {
    var subject: String
    var payload: [UInt8]
    var reply: String?
    var headers: [(name: String, value: String)] = []
}
