import Glibc

/// The file of tokens and passwords. It is refused when others on this machine could read it.
struct CredentialsFile: Sendable {
    let path: String

    /// Whether there is one. Its contents are not looked at.
    ///
    /// - Throws: ``ConfigError/exposed(path:mode:)`` when group or others have any permission.
    func exists() throws(ConfigError) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0 else {
            if errno == ENOENT || errno == ENOTDIR { return false }
            throw .unreadable(path: path, reason: String(cString: strerror(errno)))
        }
        guard status.st_mode & 0o077 == 0 else {
            throw .exposed(path: path, mode: String(status.st_mode & 0o777, radix: 8))
        }
        return true
    }
}
