internal import CNats

/// A message as it came, copied out of the library: `natsMsg`.
struct NatsMessage: Sendable {
    let subject: String
    let reply: String?
    let payload: [UInt8]
    /// The server's own answer in place of a message, such as 404, 408 or 503; nil for a message.
    let status: Int?

    /// Takes over the library's object and releases it.
    init(consuming raw: OpaquePointer) {
        defer { natsMsg_Destroy(raw) }
        subject = natsMsg_GetSubject(raw).map { String(cString: $0) } ?? ""
        reply = natsMsg_GetReply(raw).map { String(cString: $0) }
        let length = Int(natsMsg_GetDataLength(raw))
        if length > 0, let data = natsMsg_GetData(raw) {
            payload = [UInt8](UnsafeRawBufferPointer(start: data, count: length))
        } else {
            payload = []
        }
        var value: UnsafePointer<CChar>?
        let isThere = natsMsgHeader_Get(raw, "Status", &value) == NATS_OK
        status = isThere ? value.flatMap { Int(String(cString: $0)) } : nil
    }
}
