// libcurl's header brings the socket constants along, and the compiler then counts them as its.
internal import CCurl
import Glibc

/// A TCP socket on 127.0.0.1 that waits for connections.
package struct ListeningSocket: ~Copyable {
    package let raw: Int32

    /// - Parameter port: 0 lets the system choose.
    package init(port: UInt16) throws(HTTPError) {
        let raw = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard raw >= 0, Self.listens(raw, port: port) else {
            let reason = String(cString: strerror(errno))
            if raw >= 0 { close(raw) }
            throw .inputOutput(path: "127.0.0.1:\(port)", reason: reason)
        }
        self.raw = raw
    }

    deinit { close(raw) }

    package var port: UInt16 {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(raw, $0, &length) }
        }
        return UInt16(bigEndian: address.sin_port)
    }

    /// Waits up to `milliseconds` for a connection.
    package func accept(milliseconds: Int32) -> ConnectedSocket? {
        acceptRaw(milliseconds: milliseconds).map { ConnectedSocket(raw: $0) }
    }

    /// The same as a bare descriptor, which the caller closes.
    package func acceptRaw(milliseconds: Int32) -> Int32? {
        var descriptor = pollfd(fd: raw, events: Int16(POLLIN), revents: 0)
        guard poll(&descriptor, 1, milliseconds) > 0 else { return nil }
        let connection = Glibc.accept(raw, nil, nil)
        guard connection >= 0 else { return nil }
        _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
        return connection
    }

    private static func listens(_ raw: Int32, port: UInt16) -> Bool {
        var yes: Int32 = 1
        setsockopt(raw, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(raw, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        return status == 0 && listen(raw, 8) == 0
    }
}
