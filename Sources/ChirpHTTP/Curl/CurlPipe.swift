internal import Synchronization

/// Carries the content of one answer from the driver's thread to the task that reads it.
///
/// Bounded: when ``most`` bytes wait, libcurl is told to pause, and TCP's own flow control holds the sender back.
final class CurlPipe: Sendable {
    /// Bytes that may wait to be read; one piece more when it is larger.
    static let most = 256 << 10

    struct Head: Sendable {
        let status: Int
        let headers: HTTPHeaders
    }

    private struct State {
        var head: Head?
        var waiting: [UInt8] = []
        /// The driver has been told to hold back.
        var isPaused = false
        /// The reader has gone.
        var isAbandoned = false
        /// The transfer has ended, one way or the other.
        var end: Result<Void, HTTPError>?
        var reader: CheckedContinuation<Void, Never>?
    }

    let id: UInt64
    private let mailbox: CurlMailbox
    private let state = Mutex(State())

    init(id: UInt64, mailbox: CurlMailbox) {
        self.id = id
        self.mailbox = mailbox
    }

    // MARK: the driver's side

    /// The header is complete. What comes later (trailers) does not count.
    func begin(_ head: Head) { change { $0.head = $0.head ?? head } }

    /// - Returns: false when the bytes were not taken, since too many wait: the driver offers them again when told to.
    func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
        change { state in
            // Nobody wants them, and the order to end the transfer is on its way.
            guard !state.isAbandoned else { return true }
            guard state.waiting.isEmpty || state.waiting.count + bytes.count <= Self.most else {
                state.isPaused = true
                return false
            }
            state.waiting.append(contentsOf: bytes)
            return true
        }
    }

    /// From the first refusal until the driver has heard that there is room again: no silence counts meanwhile.
    var isPaused: Bool { state.withLock { $0.isPaused } }

    /// The driver offers again what was refused.
    func resumed() { state.withLock { $0.isPaused = false } }

    func end(_ result: Result<Void, HTTPError>) { change { $0.end = $0.end ?? result } }

    // MARK: the reader's side

    func head() async throws(HTTPError) -> Head {
        while true {
            let (head, end) = state.withLock { ($0.head, $0.isAbandoned ? .failure(.cancelled) : $0.end) }
            if let head { return head }
            // A transfer cannot end well without a header.
            if let end {
                try end.get()
                throw .cancelled
            }
            await wait(forHead: true)
        }
    }

    /// The next piece, all that waits; nil at the end.
    func next() async throws(HTTPError) -> [UInt8]? {
        while true {
            let (piece, end, resumes) = state.withLock { state -> ([UInt8], Result<Void, HTTPError>?, Bool) in
                if state.isAbandoned { return ([], .failure(.cancelled), false) }
                let piece = state.waiting
                state.waiting = []
                return (piece, state.end, state.isPaused)
            }
            if resumes { mailbox.resume(id) }
            if !piece.isEmpty { return piece }
            if let end {
                try end.get()
                return nil
            }
            await wait(forHead: false)
        }
    }

    /// Nobody reads any more: ends the transfer.
    func abandon() {
        change { state in
            guard state.end == nil, !state.isAbandoned else { return }
            state.isAbandoned = true
            state.waiting = []
            // Under the lock, so that it comes before the driver's end, which forgets the id.
            mailbox.cancel(id)
        }
    }

    /// Waits until something has changed.
    private func wait(forHead: Bool) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { reader in
                let isReady = state.withLock { state in
                    if state.isAbandoned || state.end != nil { return true }
                    if forHead ? state.head != nil : !state.waiting.isEmpty { return true }
                    state.reader = reader
                    return false
                }
                if isReady { reader.resume() }
            }
        } onCancel: {
            abandon()
        }
    }

    /// Changes the state and wakes the reader.
    private func change<T: Sendable>(_ body: (inout sending State) -> sending T) -> T {
        let (value, reader) = state.withLock { state in
            let value = body(&state)
            let reader = state.reader
            state.reader = nil
            return (value, reader)
        }
        reader?.resume()
        return value
    }
}

/// The reading end of a pipe: when nobody holds it any more, the transfer ends.
final class CurlPipeReader: Sendable {
    let pipe: CurlPipe

    init(_ pipe: CurlPipe) { self.pipe = pipe }

    deinit { pipe.abandon() }
}
