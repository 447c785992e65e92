import ChirpCommands
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
        do throws(SecretFileError) { return try secret(in: path, called: "password") } catch {
            throw .badServer(error.reason)
        }
    }
}
