internal import ChirpAudio
internal import Glibc

/// Threads that all run the same body; joined when the owner goes.
///
/// Threads of their own and not tasks: what they run blocks and computes for long (architecture: no blocking in the pool).
struct ScopedThreads: ~Copyable {
    private var threads: [pthread_t] = []

    /// - Parameter stop: makes bodies that already run come to their end, when another thread cannot be started.
    init(
        _ count: Int, stop: () -> Void = {}, _ body: @escaping @Sendable () -> Void
    ) throws(AudioError) {
        do throws(AudioError) {
            for _ in 0..<count { threads.append(try startThread(body)) }
        } catch {
            stop()
            throw error
        }
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
