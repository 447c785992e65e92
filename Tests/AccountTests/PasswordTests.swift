import ChirpAccounts
import ChirpCore
import Testing

@Suite struct PasswordTests {
    private let cheap = PasswordCost(memory: 8192, passes: 1)

    @Test func `a hash is Argon2id, names its cost and fits its password alone`() throws {
        let hash = try PasswordHash(of: Secret("correct horse"), cost: .usual)
        #expect(hash.text.hasPrefix("$argon2id$v=19$m=47104,t=1,p=1$"))
        #expect(hash.matches(Secret("correct horse")))
        #expect(!hash.matches(Secret("correct horsf")))
        #expect(!hash.matches(Secret("")))
        #expect(try PasswordHash(of: Secret("correct horse"), cost: .usual) != hash)
    }

    @Test(arguments: ["", "short", String(repeating: "a", count: 201)])
    func `a password that is too short or too long is refused, not cut`(typed: String) {
        #expect(throws: AccountError.self) { try PasswordHash(of: Secret(typed), cost: cheap) }
    }

    @Test(arguments: ["", "nonsense", "$argon2id$v=19$m=99999999,t=1,p=1$AAAA$AAAA", "$argon2id$"])
    func `a damaged hash fits nothing`(text: String) {
        #expect(!PasswordHash(stored: text).matches(Secret("correct horse")))
    }

    @Test func `a hash of another cost is renewed when its password is typed`() async throws {
        let desk = PasswordDesk(cost: PasswordCost(memory: 16384, passes: 1))
        let old = try PasswordHash(of: Secret("correct horse"), cost: cheap)
        let (isRight, renewed) = try await desk.check(Secret("correct horse"), against: old)
        #expect(isRight && renewed?.matches(Secret("correct horse")) == true && renewed != old)
        let wrong = try await desk.check(Secret("wrong horse!"), against: old)
        #expect(!wrong.isRight && wrong.renewed == nil)
        #expect(try await desk.check(Secret("correct horse"), against: nil).isRight == false)
    }

    @Test func `what an unknown name is compared with costs what a password costs`() {
        for cost in [cheap, .usual] {
            // Read, and of this cost: then it is computed in full.
            #expect(!PasswordDesk(cost: cost).nobody.isOutdated(for: cost))
        }
    }
}
