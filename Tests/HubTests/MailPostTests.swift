import ChirpAccounts
import ChirpCommunity
import ChirpCore
import ChirpHTTP
import ChirpHub
import ChirpTestKit
import Foundation
import HubHousehold
import LoopbackService
import Testing

/// A hub's letters and a mail server that misbehaves.
@Suite struct MailPostTests {
    private let house: HubHousehold
    private let accounts: Accounts

    init() throws {
        house = try HubHousehold()
        accounts = house.accounts
    }

    private func postman(_ server: LoopbackMail) throws -> Postman {
        Postman(
            accounts: accounts, post: MailPost(try MailServer(host: "127.0.0.1", port: server.port)),
            publicURL: HubHousehold.publicURL, now: { [house] in house.now }, logger: HubHousehold.logger)
    }

    private func signUp(_ name: String) async throws {
        _ = try await accounts.signUp(
            handle: Handle(typed: name), mail: MailAddress(typed: "\(name)@example.org"),
            password: Secret("correct horse battery"), registration: .open)
    }

    @Test func `a letter outlives a server that closes, cuts and loses, and is the same each time`() async throws {
        let server = try LoopbackMail([.greeting(421), .cut(afterLines: 3), .lost])
        let postman = try postman(server)
        try await signUp("ann")
        for _ in 0..<4 {
            await postman.round()
            house.wait(200)
        }
        // One whose answer was lost, and the one that went again.
        #expect(server.letters.count == 2 && Set(server.letters.map(\.text)).count == 1)
        #expect(server.letters.first?.to == ["ann@example.org"])
        #expect(server.letters.first?.text.contains("\r\nMessage-ID: <") == true)
        #expect(try await accounts.nextLetter() == nil)
    }

    @Test func `who is refused keeps nobody else's letter back`() async throws {
        let server = try LoopbackMail([.recipient(550), .recipient(451)])
        let postman = try postman(server)
        for name in ["ann", "bob", "cyd"] { try await signUp(name) }
        await postman.round()
        #expect(server.letters.map(\.to) == [["cyd@example.org"]])
        house.wait(60)
        await postman.round()
        #expect(server.letters.map(\.to) == [["cyd@example.org"], ["bob@example.org"]])
        #expect(try await accounts.nextLetter() == nil)
    }
}
