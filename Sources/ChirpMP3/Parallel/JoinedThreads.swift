internal import ChirpAudio
internal import Glibc

/// Threads that all do the same until it is done; joined when the owner goes.
///
/// Threads of their own and not tasks: what they do blocks and computes for long (architecture: no blocking in the pool).
struct JoinedThreads: ~Copyable {
    private var threads: [pthread_t] = []

    init(_ count: Int, _ body: @escaping @Sendable () -> Void) throws(AudioError) {
        for _ in 0..<count { threads.append(try startThread(body)) }
    }

    deinit {
        for thread in threads { pthread_join(thread, nil) }
    }
}

/// A thread that nobody waits for; ends with the process at the latest.
func detachThread(_ body: @escaping @Sendable () -> Void) throws(AudioError) {
    pthread_detach(try startThread(body))
}

private func startThread(_ body: @escaping @Sendable () -> Void) throws(AudioError) -> pthread_t {
    let work = Unmanaged.passRetained(ThreadBody(body))
    var thread = pthread_t()
    let code = pthread_create(&thread, nil, runBody, work.toOpaque())
    guard code == 0 else {
        work.release()
        throw .library(name: "pthread", code: Int(code))
    }
    return thread
}

private final class ThreadBody: Sendable {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

private func runBody(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    Unmanaged<ThreadBody>.fromOpaque(context).takeRetainedValue().run()
    return nil
}
