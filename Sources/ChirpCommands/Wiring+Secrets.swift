package import ChirpCore
internal import Glibc

/// Why a secret could not be read from its file; a sentence without its full stop.
package struct SecretFileError: Error { package let reason: String }

extension Wiring {
    /// The first line of a file that its owner alone may read.
    ///
    /// - Parameter name: what it is, for the message.
    package func secret(in path: String, called name: String) throws(SecretFileError) -> Secret {
        // There is a first line, or it would have been refused.
        try secrets(in: path, called: name).first ?? Secret("")
    }

    /// The lines of such a file, without those that are empty; at least one.
    package func secrets(in path: String, called name: String) throws(SecretFileError) -> [Secret] {
        func refuse(_ reason: String) -> SecretFileError { SecretFileError(reason: reason) }
        let shown = PlainText(path, limit: 200)
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { throw refuse("its \(name) is not in '\(shown)'") }
        defer { close(file) }
        var facts = stat()
        guard fstat(file, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
            throw refuse("its \(name) is not in '\(shown)'")
        }
        // What systemd hands over is its service's alone, though its mode can name a group (systemd.exec(5), credentials).
        let isCredential = session.environment["CREDENTIALS_DIRECTORY"].map { path.hasPrefix("\($0)/") } ?? false
        guard isCredential ? facts.st_mode & 0o007 == 0 : facts.st_mode & 0o077 == 0 else {
            throw refuse("others may read its \(name): chmod 600 '\(shown)'")
        }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = bytes.withUnsafeMutableBytes { read(file, $0.baseAddress, $0.count) }
        let lines = bytes.prefix(max(0, count)).split { $0 == 10 || $0 == 13 }
        guard !lines.isEmpty else { throw refuse("its \(name) file is empty") }
        return lines.map { Secret(String(decoding: $0, as: UTF8.self)) }
    }
}
