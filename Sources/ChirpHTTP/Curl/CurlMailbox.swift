import Glibc
internal import Synchronization

/// How tasks reach the driver's thread: a list under a lock, and a pipe that wakes the thread.
final class CurlMailbox: Sendable {
    typealias Answer = Result<HTTPResponse, HTTPError>

    struct Order: Sendable {
        let id: UInt64
        let request: HTTPRequest
        let recipient: Recipient
    }

    /// Who gets the answer.
    enum Recipient: Sendable {
        /// All of it at its end.
        case whole(CheckedContinuation<Answer, Never>)
        /// Piece by piece; given up after so much silence.
        case pieces(CurlPipe, silence: Duration)

        func end(_ answer: Answer) {
            switch self {
            case .whole(let continuation): continuation.resume(returning: answer)
            case .pieces(let pipe, _): pipe.end(answer.map { _ in })
            }
        }
    }

    struct Post: Sendable {
        var orders: [Order] = []
        var cancelled: Set<UInt64> = []
        /// Transfers whose readers have room again.
        var resumed: Set<UInt64> = []
        var isClosed = false
    }

    private struct State {
        var post = Post()
        var lastID: UInt64 = 0
    }

    /// Readable when there is post. -1 when the system has no descriptors left.
    let wake: Int32
    private let bell: Int32
    private let state = Mutex(State())

    init() {
        var ends: [Int32] = [-1, -1]
        if pipe(&ends) == 0 {
            for end in ends {
                _ = fcntl(end, F_SETFD, FD_CLOEXEC)
                _ = fcntl(end, F_SETFL, O_NONBLOCK)
            }
        }
        wake = ends[0]
        bell = ends[1]
    }

    deinit {
        for end in [wake, bell] where end >= 0 { _ = Glibc.close(end) }
    }

    func newID() -> UInt64 {
        state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
    }

    func send(_ order: Order) {
        state.withLock { $0.post.orders.append(order) }
        ring()
    }

    /// May come before its order: then the order is refused when it arrives.
    func cancel(_ id: UInt64) {
        state.withLock { _ = $0.post.cancelled.insert(id) }
        ring()
    }

    /// A transfer that was paused may go on.
    func resume(_ id: UInt64) {
        state.withLock { _ = $0.post.resumed.insert(id) }
        ring()
    }

    func close() {
        state.withLock { $0.post.isClosed = true }
        ring()
    }

    /// Everything that came since the last time. A cancellation stays until ``forget(_:)``.
    func collect() -> Post {
        var rings: [UInt8] = Array(repeating: 0, count: 64)
        while read(wake, &rings, rings.count) == rings.count {}
        return state.withLock { state in
            let post = state.post
            state.post.orders = []
            state.post.resumed = []
            return post
        }
    }

    func forget(_ id: UInt64) {
        state.withLock { _ = $0.post.cancelled.remove(id) }
    }

    private func ring() {
        // A full pipe is a ring that has not been heard yet.
        var one: UInt8 = 1
        _ = write(bell, &one, 1)
    }
}
