import ChirpCore
import ChirpHTTP
import FoundationEssentials
import Glibc

extension Wiring {
    /// The server that takes the hub's letters; nil when none is configured, and they go into a folder.
    func mailServer() throws(MailError) -> MailServer? {
        let config = session.config
        guard let host = config.hubMailHost.value else { return nil }
        return try MailServer(
            host: host, port: config.hubMailPort.value, encryption: config.hubMailEncryption.value,
            user: config.hubMailUser.value, password: try mailPassword())
    }

    /// What letters are from.
    func mailSender(_ publicURL: String) -> String {
        if let from = session.config.hubMailFrom.value { return from }
        return "chirp@\(WebAddress(publicURL)?.host ?? "localhost")"
    }

    /// From the environment, or from a file that its owner alone may read.
    private func mailPassword() throws(MailError) -> Secret? {
        if let password = session.environment["CHIRP_HUB_MAIL_PASSWORD"], !password.isEmpty { return Secret(password) }
        guard let path = session.config.hubMailPasswordFile.value else { return nil }
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { throw .badServer("its password is not in '\(PlainText(path, limit: 200))'") }
        defer { close(file) }
        var facts = stat()
        guard fstat(file, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
            throw .badServer("its password is not in '\(PlainText(path, limit: 200))'")
        }
        // What systemd hands over is its service's alone, though its mode can name a group (systemd.exec(5), credentials).
        let isCredential = session.environment["CREDENTIALS_DIRECTORY"].map { path.hasPrefix("\($0)/") } ?? false
        guard isCredential ? facts.st_mode & 0o007 == 0 : facts.st_mode & 0o077 == 0 else {
            throw .badServer("others may read its password: chmod 600 '\(PlainText(path, limit: 200))'")
        }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = bytes.withUnsafeMutableBytes { read(file, $0.baseAddress, $0.count) }
        let line = bytes.prefix(max(0, count)).prefix { $0 != 10 && $0 != 13 }
        guard !line.isEmpty else { throw .badServer("its password file is empty") }
        return Secret(String(decoding: line, as: UTF8.self))
    }
}
