import ChirpCommands
import ChirpCommunity
import ChirpCore
import ChirpHTTP

/// Whether the server that takes the hub's letters answers and takes the password. Nothing is sent.
enum MailCheck {
    static func findings(_ wiring: Wiring) async -> [Finding] {
        do throws(MailError) {
            guard let server = try wiring.mailServer() else { return [] }
            let address = (try? wiring.hubAddress())?.publicURL ?? "http://localhost"
            try await SMTPTransport(server, connectTimeout: .seconds(5), letterTimeout: .seconds(10))
                .check(from: wiring.mailSender(address))
            return [.ok("mail", "\(server.host), port \(server.port), answers")]
        } catch {
            return [.problem("mail", error.whatHappened, cure: error.whatToDo)]
        }
    }
}
