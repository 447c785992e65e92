import ChirpAccounts
import ChirpCore
import Foundation
import Testing

/// Passwords that are tried first are not taken, wherever one is chosen.
@Suite struct PasswordRuleTests {
    private let world: AccountWorld

    init() throws { world = try AccountWorld(hubWords: ["clips", "example", "org"]) }

    /// Why a password is refused at the sign-up of somebody; nil: it is taken.
    private func refusal(_ password: String, of handle: String = "annalena") async throws -> AccountError.Refusal? {
        do throws(AccountError) {
            _ = try await world.accounts.signUp(
                handle: Handle(typed: handle), mail: MailAddress(typed: "nightingale@example.org"),
                password: Secret(password), registration: .open)
            return nil
        } catch {
            guard case .refused(.password, let why) = error else { throw error }
            return why
        }
    }

    @Test(arguments: [
        "password123", "Password1234", "PASSWORD!!", "p@ssw0rd2024", "iloveyou2023!", "1234567890", "0987654321",
        "qwertyuiop", "qwertzuiop", "asdfghjkl1", "1q2w3e4r5t", "1qaz2wsx3edc", "abcdefghij", "zyxwvutsrq",
        "aaaaaaaaaaaa", "abababababab", "passwordpassword", "hunter2hunter2", "abc123abc123", "letmein12345",
        "qwerty123456", "passwort123", "schalke04schalke04", "Hallo12345", "111222333444", "football2024",
        "christopher", "basketball", "manchester", "baseball12", "trustno1trustno1", "..........", "2580258025802",
    ])
    func `a common one is refused`(password: String) async throws {
        #expect(try await refusal(password) == .passwordCommon)
    }

    @Test(arguments: [
        "annalena1990", "Annalena!!", "nightingale", "Nightingale7", "clips.example.org", "chirpchirp1",
        "annalena123456789", "ANNALENA-nightingale",
    ])
    func `one that is made of what is known of the account and the hub is refused`(password: String) async throws {
        #expect(try await refusal(password) != nil)
    }

    @Test(arguments: [
        "correct horse battery", "another password", "annalena likes correct horses", "tr0ubador&3-fence",
        "x7#mQ2!vLp", "Regenschirm auf Reisen", "ein Fahrrad im Schrank", "84c1f2a9e07b", "das war ein guter Tag",
    ])
    func `others are taken, whatever they are made of`(password: String) async throws {
        #expect(try await refusal(password) == nil)
    }

    @Test func `a short one is told that it is short`() async throws {
        #expect(try await refusal("password") == .passwordLength)
    }

    @Test func `a new password and a reset ask the same`() async throws {
        let ann = try await world.member("annalena")
        for weak in ["password123", "annalena1990"] {
            await #expect(throws: AccountError.self) {
                _ = try await world.accounts.changePassword(of: ann.id, to: Secret(weak), agent: "")
            }
            guard case .reset(_, let link) = try await world.accounts.requestReset(try #require(ann.mail)) else {
                Issue.record("no letter")
                return
            }
            await #expect(throws: AccountError.self) {
                _ = try await world.accounts.reset(link.token, password: Secret(weak))
            }
            // The link works on.
            _ = try await world.accounts.reset(link.token, password: AccountWorld.password)
        }
    }
}
