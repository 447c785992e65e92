import ChirpCore
import ChirpHTTP
import Foundation
import LoopbackService
import Testing

/// Letters over the real libcurl to a mail server on this machine.
@Suite struct SMTPTransportTests {
    private static let letter = Array("Subject: A test\r\n\r\nFirst line\r\n.second\r\n.\r\nlast\r\n".utf8)

    private func transport(_ server: LoopbackMail, user: String? = nil) throws -> SMTPTransport {
        SMTPTransport(
            try MailServer(
                host: "127.0.0.1", port: server.port, user: user, password: user.map { _ in Secret("open sesame") }))
    }

    private func send(_ server: LoopbackMail, to: String = "ann@example.org") async throws(MailError) {
        let transport: SMTPTransport
        do { transport = try self.transport(server) } catch { throw .badAddress }
        try await transport.send(from: "chirp@clips.example.org", to: to, Self.letter)
    }

    @Test func `a letter arrives as it was written, with its dots`() async throws {
        let server = try LoopbackMail()
        try await send(server)
        let letter = try #require(server.letters.first)
        #expect(letter.from == "chirp@clips.example.org" && letter.to == ["ann@example.org"])
        #expect(letter.text == String(decoding: Self.letter, as: UTF8.self))
        #expect(server.greetings == ["clips.example.org"])
    }

    @Test func `user and password go along`() async throws {
        let server = try LoopbackMail()
        try await transport(server, user: "chirp").send(from: "a@b.example", to: "ann@example.org", Self.letter)
        let token = try #require(server.signIns.first.flatMap { Data(base64Encoded: $0) })
        #expect(String(decoding: token, as: UTF8.self) == "\0chirp\0open sesame")
        #expect(server.letters.count == 1)
    }

    @Test func `what the server refuses is told by its code`() async throws {
        let server = try LoopbackMail([
            .greeting(421), .recipient(550), .recipient(451), .sender(553), .cut(afterLines: 2), .lost,
        ])
        let host = "127.0.0.1"
        await #expect(throws: MailError.notNow(host: host, code: 421)) { try await send(server) }
        await #expect(throws: MailError.refused(host: host, code: 550)) { try await send(server) }
        await #expect(throws: MailError.notNow(host: host, code: 451)) { try await send(server) }
        await #expect(throws: MailError.refused(host: host, code: 553)) { try await send(server) }
        // Cut in the letter, and after it: whether it was taken is not known then.
        for _ in 0..<2 {
            do {
                try await send(server)
                Issue.record("a cut connection was taken for an answer")
            } catch {
                guard case MailError.interrupted = error else {
                    Issue.record("\(error)")
                    continue
                }
            }
        }
        #expect(server.letters.count == 1)
        try await send(server)
        #expect(server.letters.count == 2)
    }

    @Test func `a wrong password is told as such`() async throws {
        let server = try LoopbackMail([.password])
        await #expect(throws: MailError.signedOut(host: "127.0.0.1")) {
            try await transport(server, user: "chirp").send(from: "a@b.example", to: "ann@example.org", Self.letter)
        }
    }

    @Test func `a server that must encrypt and does not gets nothing`() async throws {
        let server = try LoopbackMail()
        let strict = SMTPTransport(
            try MailServer(
                host: "127.0.0.1", port: server.port, encryption: .starttls, user: "chirp", password: Secret("x")))
        await #expect(throws: MailError.untrusted(host: "127.0.0.1", reason: "it offers no encryption")) {
            try await strict.send(from: "a@b.example", to: "ann@example.org", Self.letter)
        }
        #expect(server.letters.isEmpty && server.signIns.isEmpty)
    }

    @Test func `a check says that the server answers, and sends nothing`() async throws {
        let server = try LoopbackMail()
        try await transport(server, user: "chirp").check(from: "chirp@clips.example.org")
        #expect(server.letters.isEmpty && server.signIns.count == 1)
    }

    @Test(arguments: [
        "ann@example.org>\r\nRCPT TO:<eve@example.org", "ann", "ann@example.org\nDATA", "<ann@example.org>",
    ])
    func `an address that would not stay one is not sent`(address: String) async throws {
        let server = try LoopbackMail()
        await #expect(throws: MailError.badAddress) { try await send(server, to: address) }
        #expect(server.greetings.isEmpty)
    }

    @Test(arguments: [
        "mail.example.org/x", "user@mail.example.org", "", "mail example", "mail.example.org:25", "a\r\nb",
    ])
    func `a name that would change the address of the server is refused`(host: String) {
        #expect(throws: MailError.self) { try MailServer(host: host) }
    }

    @Test func `nothing goes readable to another machine`() throws {
        #expect(throws: MailError.insecure(host: "mail.example.org")) {
            try MailServer(host: "mail.example.org", encryption: .plain)
        }
        #expect(try MailServer(host: "mail.example.org").encryption == .starttls)
        #expect(try MailServer(host: "mail.example.org").port == 587)
        #expect(try MailServer(host: "mail.example.org", encryption: .tls).port == 465)
        #expect(try MailServer(host: "localhost").encryption == .plain)
        #expect(try MailServer(host: "::1").host == "[::1]")
    }
}
