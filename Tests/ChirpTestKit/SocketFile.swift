import Foundation
import Glibc

/// Makes a socket in a folder, which nobody listens on: a name that can be found and not be opened.
///
/// - Throws: the system's reason.
public func makeSocketFile(_ name: String, in folder: String) throws {
    let socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    // Its path may have but 107 bytes (unix(7)), so that of the folder is left out by way of its descriptor.
    let opened = open(folder, O_RDONLY | O_DIRECTORY)
    defer {
        close(socket)
        close(opened)
    }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: "/proc/self/fd/\(opened)/\(name)".utf8) }
    let bound = withUnsafePointer(to: &address) { address in
        address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            bind(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
    }
    guard bound == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}
