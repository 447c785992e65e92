import Glibc

/// A TCP port of 127.0.0.1 that the system gives to nobody else as long as this lives: for programs that want a number and
/// cannot tell which one they were given, and for addresses at which nobody answers.
///
/// A socket is bound to it and never listens, so whoever connects is refused. A server that sets `SO_REUSEADDR`, as Go's and
/// Apache's do, may listen there beside it, die and come back; what asks the system for any port gets another one (`socket(7)`).
public final class ReservedPort: Sendable {
    public struct Failure: Error, CustomStringConvertible { public let description: String }

    public let number: UInt16
    private let raw: Int32

    public init() throws {
        let raw = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var yes: Int32 = 1
        setsockopt(raw, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(raw, $0, length) == 0 ? getsockname(raw, $0, &length) : -1
            }
        }
        guard result == 0 else {
            let reason = String(cString: strerror(errno))
            if raw >= 0 { close(raw) }
            throw Failure(description: "no port can be reserved: \(reason)")
        }
        self.raw = raw
        number = UInt16(bigEndian: address.sin_port)
    }

    deinit { close(raw) }
}
