/// A message to be sent.
struct NatsLetter: Sendable {
    var subject: String
    var payload: [UInt8]
    var reply: String?
    var headers: [(name: String, value: String)] = []
}
