internal import ChirpHTTP
internal import Crypto
import Glibc

/// The server's side of one connection: reads heads and contents, writes replies whole or cut.
struct LoopbackConnection {
    private let raw: Int32
    private var buffer: [UInt8] = []

    struct Content {
        var bytes: [UInt8] = []
        var count: Int64 = 0
        var md5 = ""
    }

    private static let kept = 64 << 20

    init(_ raw: Int32) {
        self.raw = raw
        var yes: Int32 = 1
        setsockopt(raw, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
    }

    /// The next head without its empty line, or nil when the client is gone.
    mutating func head() -> String? {
        while true {
            if let end = buffer.firstRange(of: [13, 10, 13, 10]) {
                let head = String(decoding: buffer[..<end.lowerBound], as: UTF8.self)
                buffer.removeSubrange(..<end.upperBound)
                return head
            }
            guard buffer.count < 1 << 20, receive(64 << 10) else { return nil }
        }
    }

    /// The content that the header announces, up to `limit` bytes of it; nil when the client breaks off.
    ///
    /// - Parameter isMeasured: keep little and hash nothing, because a client's speed is being measured.
    mutating func content(_ headers: HTTPHeaders, limit: Int?, isMeasured: Bool = false) -> Content? {
        var hash = Insecure.MD5()
        var content = Content()
        let kept = isMeasured ? 1 << 20 : Self.kept
        func take(_ bytes: some Collection<UInt8>, _ content: inout Content) {
            if !isMeasured { hash.update(data: Array(bytes)) }
            content.count += Int64(bytes.count)
            content.bytes.append(contentsOf: bytes.prefix(max(0, kept - content.bytes.count)))
        }
        if headers["Transfer-Encoding"]?.lowercased() == "chunked" {
            while let line = line(), let size = Int(line, radix: 16) {
                while buffer.count < size + 2 { guard receive(256 << 10) else { return nil } }
                take(buffer[..<size], &content)
                buffer.removeSubrange(..<(size + 2))
                if size == 0 { break }
            }
        } else {
            var left = min(Int64(headers["Content-Length"] ?? "0") ?? 0, limit.map(Int64.init) ?? .max)
            while left > 0 {
                if buffer.isEmpty { guard receive(1 << 20) else { return nil } }
                let count = Int(min(left, Int64(buffer.count)))
                take(buffer[..<count], &content)
                if count == buffer.count {
                    buffer.removeAll(keepingCapacity: true)
                } else {
                    buffer.removeSubrange(..<count)
                }
                left -= Int64(count)
            }
        }
        content.md5 = hexadecimal(hash.finalize())
        return content
    }

    /// False when the connection is over.
    func send(_ reply: LoopbackServer.Reply, isHead: Bool) -> Bool {
        var head = "HTTP/1.1 \(reply.status) Loopback\r\n"
        for (name, value) in reply.headers { head += "\(name): \(value)\r\n" }
        if reply.status != 204, reply.stream == nil { head += "Content-Length: \(reply.body.count)\r\n" }
        let whole = Array((head + "\r\n").utf8) + (isHead ? [] : reply.body)
        if let stream = reply.stream {
            guard send(whole) else { return false }
            stream.drain { send($0) }
            return false
        }
        guard let cut = reply.cutAfter else { return send(whole) }
        _ = send(Array(whole.prefix(cut)))
        reset()
        return false
    }

    func send(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(raw, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    /// Makes closing send a reset instead of an end.
    func reset() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(raw, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }

    func close() { Glibc.close(raw) }

    func waitForEnd() {
        var chunk = [UInt8](repeating: 0, count: 4096)
        while recv(raw, &chunk, chunk.count, 0) > 0 {}
    }

    private mutating func line() -> String? {
        while true {
            if let end = buffer.firstRange(of: [13, 10]) {
                let line = String(decoding: buffer[..<end.lowerBound], as: UTF8.self)
                buffer.removeSubrange(..<end.upperBound)
                return line
            }
            guard receive(4096) else { return nil }
        }
    }

    private mutating func receive(_ count: Int) -> Bool {
        let start = buffer.count
        buffer.append(contentsOf: repeatElement(0, count: count))
        let got = buffer.withUnsafeMutableBytes { recv(raw, $0.baseAddress?.advanced(by: start), count, 0) }
        buffer.removeLast(count - max(0, got))
        return got > 0
    }
}
