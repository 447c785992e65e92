import Foundation
import Testing

extension HubBrowser {
    /// Lets a program of another machine speak for the owner, who is signed in here: opens the address that `chirp login hub` shows and agrees.
    ///
    /// - Parameter address: of this hub, with a query.
    func authorise(_ address: String) async throws {
        let page = "/oauth/authorize" + address.drop { $0 != "?" }
        // The answer leads back to the program that waits for it.
        #expect(try await submit(page, to: "/oauth/authorize", [], options: "--location").status == 200)
    }
}

extension Household {
    /// Signs in at the served hub of another household as its owner, as two people with two machines do.
    func signIn(at port: Int, of host: Household) async throws {
        let browser = HubBrowser(host, port: port, jar: "owner")
        #expect(try await browser.submit(host.ownerPath()).status == 303)
        let login = try start(["login", "hub", "http://127.0.0.1:\(port)", "--no-browser"])
        var address: Substring?
        await eventually {
            address = login.errorsSoFar.split(whereSeparator: \.isWhitespace).first { $0.contains("redirect_uri=") }
            return address != nil
        }
        try await browser.authorise(String(try #require(address)))
        let outcome = try await login.outcome()
        #expect(outcome.status == 0, "\(outcome.errors)")
    }
}
