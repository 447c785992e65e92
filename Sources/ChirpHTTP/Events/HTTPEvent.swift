/// What happened to one request, fit for a log: no query, no header field, no content.
public struct HTTPEvent: Sendable, CustomStringConvertible {
    public let method: HTTPMethod
    /// Prints without its query.
    public let address: WebAddress
    public let result: Result<Int, HTTPError>
    public let sent: Int64
    public let received: Int64
    public let took: Duration
    /// Whether it went over a connection that was already open.
    public let reusedConnection: Bool

    public var description: String {
        let outcome =
            switch result {
            case .success(let status): "\(status)"
            case .failure(let error): error.whatHappened
            }
        let milliseconds = took.components.seconds * 1000 + took.components.attoseconds / 1_000_000_000_000_000
        return "\(method.rawValue) \(address): \(outcome), \(sent) bytes sent, \(received) received, \(milliseconds) ms"
            + (reusedConnection ? "" : ", new connection")
    }
}
