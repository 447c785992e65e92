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

    @Test func `one holder has four places in the queue, and those of others stay free`() {
        let places = HolderPlaces(most: PasswordDesk.places)
        let one = LimitHolder.network(ClientNetwork("192.0.2.1"))
        let other = LimitHolder.network(ClientNetwork("192.0.2.2"))
        #expect((0..<6).map { _ in places.enter(one) } == [true, true, true, true, false, false])
        #expect(places.enter(other))
        places.leave(one)
        #expect(places.enter(one) && !places.enter(one))
    }

    @Test func `whoever comes with a hundred right passwords at once has its places again afterwards`() async throws {
        let desk = PasswordDesk(cost: cheap)
        let hash = try PasswordHash(of: Secret("correct horse"), cost: cheap)
        let holder = LimitHolder.network(ClientNetwork("192.0.2.1"))
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<100 {
                group.addTask { _ = try? await desk.check(Secret("correct horse"), against: hash, for: holder) }
            }
        }
        #expect(try await desk.check(Secret("correct horse"), against: hash, for: holder).isRight)
    }

    @Test func `what an unknown name is compared with costs what a password costs`() {
        for cost in [cheap, .usual] {
            // Read, and of this cost: then it is computed in full.
            #expect(!PasswordDesk(cost: cost).nobody.isOutdated(for: cost))
        }
    }
}
