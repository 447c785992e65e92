public import ChirpCore
internal import FoundationEssentials

/// Adds `Authorization: Basic` to every request (RFC 7617, UTF-8).
public struct BasicTransport: HTTPTransport {
    private let base: any HTTPTransport
    private let credentials: Secret

    /// - Parameter user: without a colon, which would end it.
    public init(_ base: any HTTPTransport, user: String, password: Secret) {
        self.base = base
        let pair = "\(user.filter { $0 != ":" }):\(password.reveal())"
        credentials = Secret(Data(pair.utf8).base64EncodedString())
    }

    public func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        var copy = request
        copy.headers["Authorization"] = "Basic " + credentials.reveal()
        return try await base.send(copy)
    }
}
