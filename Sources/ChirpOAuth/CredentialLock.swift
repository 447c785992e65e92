internal import ChirpCore
import Glibc

/// The right to change the credentials, which one process has at a time. Ends with this value, and with the process.
struct CredentialLock: ~Copyable {
    private let descriptor: Int32

    private init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit {
        // Explicitly: a child that is being started holds copies of descriptors until it has become its program.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    /// Waits for it. A lock lasts as long as one refresh, which its transport bounds.
    static func take(_ path: String, patience: Duration) async throws(CredentialError) -> CredentialLock {
        let descriptor = try await offPool { () throws(CredentialError) in try wait(path, patience) }
        return CredentialLock(descriptor: descriptor)
    }

    private static func wait(_ path: String, _ patience: Duration) throws(CredentialError) -> Int32 {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .inputOutput(path: path, reason: String(cString: strerror(errno))) }
        let deadline = ContinuousClock().now + patience
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            let number = errno
            let failure: CredentialError? =
                switch number {
                case EWOULDBLOCK where Task.isCancelled: .cancelled
                case EWOULDBLOCK where ContinuousClock().now >= deadline: .locked(path: path)
                case EWOULDBLOCK, EINTR: nil
                default: .inputOutput(path: path, reason: String(cString: strerror(number)))
                }
            if let failure {
                close(descriptor)
                throw failure
            }
            usleep(20_000)
        }
        return descriptor
    }
}
