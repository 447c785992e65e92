internal import ChirpAudio
internal import Glibc

/// Owner of one open file.
struct MP3Descriptor: ~Copyable {
    let raw: Int32

    /// Takes over an open file.
    init(adopting raw: Int32) { self.raw = raw }

    deinit { close(raw) }
}

/// Writes all bytes to an open file, a pipe or a socket.
///
/// A pipe whose reader has gone gives an error here and no signal, whatever the process does about SIGPIPE.
///
/// - Parameter name: for the error.
func writeAll(_ bytes: borrowing Span<UInt8>, to descriptor: Int32, name: String) throws(AudioError) {
    var done = 0
    while done < bytes.count {
        let (count, code) = bytes.extracting(done..<bytes.count).withUnsafeBufferPointer { rest in
            withoutPipeSignal { write(descriptor, rest.baseAddress, rest.count) }
        }
        if count >= 0 {
            done += count
        } else if code == EAGAIN {
            var wanted = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            _ = poll(&wanted, 1, -1)
        } else if code != EINTR {
            throw .inputOutput(path: name, reason: systemReason(code))
        }
    }
}

/// Writes all bytes at a place of a regular file; its position stays.
func writeAll(
    _ bytes: borrowing Span<UInt8>, at offset: Int, to descriptor: Int32, name: String
) throws(AudioError) {
    var done = 0
    while done < bytes.count {
        let count = bytes.extracting(done..<bytes.count).withUnsafeBufferPointer { rest in
            pwrite(descriptor, rest.baseAddress, rest.count, offset + done)
        }
        let code = errno
        if count >= 0 {
            done += count
        } else if code != EINTR {
            throw .inputOutput(path: name, reason: systemReason(code))
        }
    }
}

/// Runs a write with SIGPIPE held back on this thread and takes away the one it caused, if any.
private func withoutPipeSignal(_ body: () -> Int) -> (count: Int, code: Int32) {
    var pipe = sigset_t()
    var before = sigset_t()
    var pending = sigset_t()
    sigemptyset(&pipe)
    sigaddset(&pipe, SIGPIPE)
    sigpending(&pending)
    let wasPending = sigismember(&pending, SIGPIPE) == 1
    pthread_sigmask(SIG_BLOCK, &pipe, &before)
    let count = body()
    let code = errno
    if count < 0, code == EPIPE, !wasPending {
        var noTime = timespec(tv_sec: 0, tv_nsec: 0)
        while sigtimedwait(&pipe, nil, &noTime) == -1, errno == EINTR {}
    }
    pthread_sigmask(SIG_SETMASK, &before, nil)
    return (count, code)
}
