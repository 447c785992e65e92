import Glibc

/// Whether the hub answers where links lead.
enum HubCheck {
    /// - Parameter speaksTLS: the hub has a certificate; then it is enough that somebody answers a request without TLS with anything.
    static func finding(bind: String, port: Int, speaksTLS: Bool = false) -> Finding {
        let host = ["0.0.0.0", "::"].contains(bind) ? "127.0.0.1" : bind
        switch answer(host: host, port: port) {
        case nil:
            return .note(
                "hub", "not being served on \(host), port \(port); links open only while it is",
                cure: "Run: chirp serve")
        case let answer? where speaksTLS || answer.hasPrefix("HTTP/1.1 200"):
            return .ok("hub", "is being served on \(host), port \(port)")
        default:
            return .problem(
                "hub", "something else answers on \(host), port \(port)",
                cure: "Stop it, or set hub.port to another port")
        }
    }

    /// The first line of the answer to a health request; nil when nobody listens.
    private static func answer(host: String, port: Int) -> String? {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, "\(port)", &hints, &found) == 0, let address = found else { return nil }
        defer { freeaddrinfo(found) }
        let socket = socket(address.pointee.ai_family, address.pointee.ai_socktype | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard socket >= 0 else { return nil }
        defer { close(socket) }
        var patience = timeval(tv_sec: 2, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(socket, SOL_SOCKET, option, &patience, socklen_t(MemoryLayout<timeval>.size))
        }
        guard connect(socket, address.pointee.ai_addr, address.pointee.ai_addrlen) == 0 else { return nil }
        let request = Array("GET /health HTTP/1.1\r\nHost: \(host):\(port)\r\nConnection: close\r\n\r\n".utf8)
        guard send(socket, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else { return "" }
        var buffer = [UInt8](repeating: 0, count: 512)
        let count = recv(socket, &buffer, buffer.count, 0)
        return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
    }
}
