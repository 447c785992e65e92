internal import Glibc

/// The right to work on one publication, held as long as this value lives.
///
/// It is an open-file-description lock (`fcntl(2)`) on one byte of a file beside the journal; which byte follows from the
/// publication's id. The system lets go of it when the process dies, however it dies, so nobody ever waits for a dead owner.
/// Two holders in one process exclude each other too.
public struct ProcessLease: ~Copyable, Sendable {
    /// `F_OFD_SETLK` of Linux's `asm-generic/fcntl.h`, the same on all machines; the header hides it from Swift.
    private static let setOpenFileDescriptionLock: Int32 = 37
    private let descriptor: Int32

    private init(descriptor: Int32) { self.descriptor = descriptor }

    deinit {
        // Unlocked by itself, because a child that is being started holds a copy of the descriptor until it has become
        // its program, and the lock would live as long.
        var all = flock()
        all.l_type = Int16(F_UNLCK)
        all.l_whence = Int16(SEEK_SET)
        _ = fcntl(descriptor, Self.setOpenFileDescriptionLock, &all)
        close(descriptor)
    }

    /// Gives the right back; says in the owner's code how long it was held.
    public consuming func end() {}

    /// Takes the lease.
    ///
    /// - Parameter path: the lock file, always empty, shared by all publications.
    /// - Returns: nil when somebody else holds it.
    static func take(_ id: PublicationRecord.ID, path: String) throws(JournalError) -> ProcessLease? {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .inputOutput(path: path, reason: String(cString: strerror(errno))) }
        var range = flock()
        range.l_type = Int16(F_WRLCK)
        range.l_whence = Int16(SEEK_SET)
        range.l_start = offset(of: id)
        range.l_len = 1
        while fcntl(descriptor, Self.setOpenFileDescriptionLock, &range) != 0 {
            if errno == EINTR { continue }
            let number = errno
            close(descriptor)
            if number == EAGAIN || number == EACCES { return nil }
            throw .inputOutput(path: path, reason: String(cString: strerror(number)))
        }
        return ProcessLease(descriptor: descriptor)
    }

    /// The byte that stands for an id: FNV-1a over 64 bits, without the sign. Two of a million ids share one with a chance of
    /// one in ten million, and then only wait for each other.
    private static func offset(of id: PublicationRecord.ID) -> off_t {
        let hash = id.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        return off_t(truncatingIfNeeded: hash >> 2)
    }
}
