import Glibc

/// One accepted connection.
package struct ConnectedSocket: ~Copyable {
    let raw: Int32

    init(raw: Int32) {
        self.raw = raw
    }

    deinit { close(raw) }

    /// The head of a request, or nil when none comes within two seconds or it is longer than 16 KiB.
    package func requestHead() -> String? {
        var head: [UInt8] = []
        let deadline = ContinuousClock().now + .seconds(2)
        while ContinuousClock().now < deadline, head.count < 16_384 {
            var descriptor = pollfd(fd: raw, events: Int16(POLLIN), revents: 0)
            guard poll(&descriptor, 1, 200) > 0 else { continue }
            var chunk = [UInt8](repeating: 0, count: 4096)
            let count = recv(raw, &chunk, chunk.count, 0)
            guard count > 0 else { return nil }
            head += chunk[..<count]
            if head.suffix(count + 3).windows(ofFour: [13, 10, 13, 10]) {
                return String(decoding: head, as: UTF8.self)
            }
        }
        return nil
    }

    package func answer(_ text: String) {
        let bytes = Array(text.utf8)
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes { send(raw, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return }
            sent += count
        }
        shutdown(raw, Int32(SHUT_WR))
    }
}

extension ArraySlice<UInt8> {
    fileprivate func windows(ofFour pattern: [UInt8]) -> Bool {
        count >= 4 && indices.dropLast(3).contains { self[$0..<$0 + 4].elementsEqual(pattern) }
    }
}
