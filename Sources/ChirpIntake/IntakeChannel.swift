internal import CConfine
internal import ChirpCore
internal import ChirpFiles
internal import FoundationEssentials
internal import Glibc

/// One end of the socket between a process and its child: documents with a length in front, and descriptors beside them.
struct IntakeChannel: ~Copyable, Sendable {
    /// Documents with a cover picture are some hundred kilobytes.
    static let largestDocument = 4 << 20
    /// The other end reads what strangers have made, and may be theirs by now. A waveform is tens of thousands of numbers.
    private static let limits = UntrustedJSON.Limits(bytes: largestDocument, depth: 32, values: 1 << 20)
    /// Files beside one document: as many as `chirp_send_descriptors` takes.
    static let mostDescriptors = 16

    let descriptor: Int32

    init(adopting descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Both ends of a new socket, closed on exec.
    static func pair() throws(SystemError) -> (here: Int32, there: Int32) {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw .current
        }
        return (ends[0], ends[1])
    }

    /// Whether the other end is there, as far as anybody can tell.
    var isOpen: Bool {
        var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        // The other end says nothing unasked, so that anything to be read is its end.
        return poll(&state, 1, 0) == 0
    }

    /// - Returns: false when the other end is gone.
    func send(_ document: some Encodable, descriptors: [Int32] = []) -> Bool {
        guard let body = try? JSONEncoder().encode(document), body.count <= Self.largestDocument else { return false }
        var bytes = withUnsafeBytes(of: UInt32(body.count).littleEndian) { Array($0) }
        bytes += body
        var sent = 0
        while sent < bytes.count {
            let isFirst = sent == 0
            let count = bytes.withUnsafeBytes { buffer in
                chirp_send_descriptors(
                    descriptor, buffer.baseAddress.map { $0 + sent }, buffer.count - sent, descriptors,
                    isFirst ? Int32(descriptors.count) : 0)
            }
            if count > 0 { sent += count } else if errno != EINTR { return false }
        }
        return true
    }

    /// Waits for a document.
    ///
    /// - Parameter isUnwanted: asked ten times a second; true ends the waiting.
    /// - Returns: nil when the other end is gone, or says what is no document.
    func receive<T: Decodable>(
        _ type: T.Type, isUnwanted: () -> Bool = { false }
    ) -> (document: T, descriptors: [Int32])? {
        var descriptors: [Int32] = []
        guard let head = receive(count: 4, &descriptors, isUnwanted) else { return discarded(descriptors) }
        let length = head.reversed().reduce(0) { $0 << 8 | Int($1) }
        guard length <= Self.largestDocument, let body = receive(count: length, &descriptors, isUnwanted),
            let document = try? UntrustedJSON.decode(type, from: body, Self.limits)
        else { return discarded(descriptors) }
        return (document, descriptors)
    }

    private func discarded<T>(_ descriptors: [Int32]) -> T? {
        descriptors.forEach { close($0) }
        return nil
    }

    private func receive(count: Int, _ descriptors: inout [Int32], _ isUnwanted: () -> Bool) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            guard !isUnwanted() else { return nil }
            var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let events = poll(&ready, 1, 100)
            if events == 0 || events < 0 && errno == EINTR { continue }
            var found = [Int32](repeating: -1, count: Self.mostDescriptors)
            var number: Int32 = 0
            let result = bytes.withUnsafeMutableBytes { buffer in
                chirp_receive_descriptors(
                    descriptor, buffer.baseAddress.map { $0 + filled }, count - filled, &found,
                    Int32(Self.mostDescriptors), &number)
            }
            descriptors += found.prefix(Int(number))
            if result > 0 {
                filled += result
            } else if result == 0 || errno != EINTR {
                return nil
            }
        }
        return bytes
    }
}
