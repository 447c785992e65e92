import ChirpAccounts
import ChirpCore
import ChirpTestKit
import Foundation
import Testing

/// Wrong passwords and codes, counted where they are compared.
@Suite struct GuessTests {
    private let world: AccountWorld

    init() throws { world = try AccountWorld(isLimited: true) }

    private static func origin(_ network: String, _ browser: String? = nil) -> SignInOrigin {
        SignInOrigin(network: ClientNetwork(network)) { account, _ in
            browser.map { KnownBrowser(name: $0, account: account) }
        }
    }

    /// Whether the password was looked at, and not refused unseen.
    private func guess(
        _ name: String = "ann", _ password: Secret = Secret("not the password"), from origin: SignInOrigin,
        code: String? = nil
    ) async throws -> Bool {
        do throws(AccountError) {
            _ = try await world.accounts.enter(name: name, password: password, code: code, agent: "", from: origin)
        } catch {
            if case .tooOften = error { return false }
            if error == .wrongCredentials || error == .codeNeeded(wasWrong: true) { return true }
            throw error
        }
        return true
    }

    @Test func `from many networks and under all spellings a name is guessed at ten times in a quarter of an hour`()
        async throws
    {
        try await world.member("ann")
        var seen = 0
        for number in 0..<40 {
            let name = ["ann", "@ann", " Ann", "ANN"][number % 4]
            if try await guess(name, from: Self.origin("192.0.2.\(number)")) { seen += 1 }
        }
        #expect(seen == 10)
        // The right one is refused there too, and in a browser of Ann's it is not.
        #expect(try await !guess("ann", AccountWorld.password, from: Self.origin("192.0.2.99")))
        #expect(try await guess("ann", AccountWorld.password, from: Self.origin("192.0.2.99", "hers")))
    }

    @Test func `a program that guesses keeps its person from confirming nothing`() async throws {
        let ann = try await world.member("ann")
        let program = world.accounts.asked(by: .token(OpaqueToken()), of: ann.id)
        var seen = 0
        for _ in 0..<20 {
            do throws(AccountError) { _ = try await program.check(Secret("not the password"), of: ann.id) } catch {
                if error == .wrongCredentials { seen += 1 }
            }
        }
        #expect(seen == 10)
        _ = try await world.accounts.check(AccountWorld.password, of: ann.id)
    }

    @Test func `all that are tried at once find ten places, not ten each`() async throws {
        try await world.member("ann")
        let seen = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<40 {
                // More than can be compared at once are told to come again, which looks at no password.
                group.addTask { (try? await guess(from: Self.origin("192.0.2.\(number)"))) ?? false }
            }
            return await group.reduce(into: 0) { if $1 { $0 += 1 } }
        }
        #expect(seen <= 10)
    }

    @Test func `forty-eight names that are tried at once from one network find its twenty places`() async throws {
        try await world.member("ann")
        let seen = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<48 {
                group.addTask { (try? await guess("name\(number)", from: Self.origin("192.0.2.1"))) ?? false }
            }
            return await group.reduce(into: 0) { if $1 { $0 += 1 } }
        }
        #expect(seen <= 20)
        for number in 0..<20 { _ = try await guess("more\(number)", from: Self.origin("192.0.2.1")) }
        // Whoever is a stranger there waits, also with the right password; elsewhere and in a known browser nobody does.
        #expect(try await !guess("ann", AccountWorld.password, from: Self.origin("192.0.2.1")))
        #expect(try await guess("ann", AccountWorld.password, from: Self.origin("192.0.2.1", "hers")))
        #expect(try await guess("ann", AccountWorld.password, from: Self.origin("192.0.2.2")))
    }

    @Test func `what a name or a network refuses unseen takes no place of the other`() async throws {
        try await world.member("ann")
        for _ in 0..<40 { _ = try await guess("ann", from: Self.origin("192.0.2.1")) }
        // Ten were looked at, and ten more are.
        var seen = 0
        for number in 0..<20 where try await guess("name\(number)", from: Self.origin("192.0.2.1")) { seen += 1 }
        #expect(seen == 10)
        #expect(try await guess("name15", from: Self.origin("192.0.2.2")))
    }

    @Test func `in a day a name is guessed at two hundred times at most, whoever waits`() async throws {
        try await world.member("ann")
        var seen = 0
        for number in 0..<96 {
            for _ in 0..<11 where try await guess(from: Self.origin("192.0.2.\(number)")) { seen += 1 }
            world.wait(15 * 60)
        }
        // 100 at once, and 100 more that come again within the day.
        #expect((100...200).contains(seen), "\(seen)")
    }

    @Test func `the known browsers of one account share a ceiling, which strangers do not fill`() async throws {
        try await world.member("ann")
        var seen = 0
        for number in 0..<60 where try await guess(from: Self.origin("192.0.2.1", "browser\(number % 6)")) { seen += 1 }
        #expect(seen == 30)
        #expect(try await guess("ann", AccountWorld.password, from: Self.origin("192.0.2.2")))
    }

    @Test func `right passwords begin sixty sessions an hour, and a known browser has its own`() async throws {
        try await world.member("ann")
        var seen = 0
        for number in 0..<70 {
            let origin = Self.origin("192.0.2.\(number)")
            if try await guess("ann", AccountWorld.password, from: origin) { seen += 1 }
        }
        #expect(seen == 60)
        #expect(try await guess("ann", AccountWorld.password, from: Self.origin("192.0.2.1", "hers")))
        world.wait(61)
        #expect(try await guess("ann", AccountWorld.password, from: Self.origin("192.0.2.1")))
    }

    @Test func `a right password gives back what was taken, so nobody is kept out by signing in often`() async throws {
        try await world.member("ann")
        for _ in 0..<30 { #expect(try await guess("ann", AccountWorld.password, from: Self.origin("192.0.2.1"))) }
    }

    @Test func `behind the right password codes are looked at ten times in a quarter of an hour, and fifty a day`()
        async throws
    {
        let ann = try await world.member("ann")
        let factor = world.accounts.newSecondFactor()
        _ = try await world.accounts.switchOn(
            factor, code: factor.code(atStep: OneTimeCode.step(at: world.now)), of: ann.id)
        var seen = 0
        for number in 0..<50
        where try await guess(
            "ann", AccountWorld.password, from: Self.origin("192.0.2.\(number)"), code: "000000")
        {
            seen += 1
        }
        #expect(seen == 10)
        // Her own browser has a bucket of its own.
        world.wait(30)
        let code = factor.code(atStep: OneTimeCode.step(at: world.now))
        let hers = Self.origin("192.0.2.99", "hers")
        #expect(try await guess("ann", AccountWorld.password, from: hers, code: code))
        var day = 0
        for number in 0..<96 {
            world.wait(15 * 60)
            for _ in 0..<11
            where try await guess(
                "ann", AccountWorld.password, from: Self.origin("192.0.2.\(number)"), code: "000000")
            {
                day += 1
            }
        }
        #expect((40...100).contains(day), "\(day)")
    }

    @Test func `codes are looked at ten times where the authenticator is switched off or replaced, together`()
        async throws
    {
        let ann = try await world.member("ann")
        let (factor, other) = (world.accounts.newSecondFactor(), world.accounts.newSecondFactor())
        func code(_ factor: OneTimeCode) -> String { factor.code(atStep: OneTimeCode.step(at: world.now)) }
        _ = try await world.accounts.switchOn(factor, code: code(factor), of: ann.id)
        var seen = 0
        for number in 0..<30 {
            do throws(AccountError) {
                if number.isMultiple(of: 2) {
                    try await world.accounts.switchOffSecondFactor(of: ann.id, code: "not a code")
                } else {
                    _ = try await world.accounts.switchOn(other, code: code(other), present: "not a code", of: ann.id)
                }
            } catch {
                if error == .codeNeeded(wasWrong: true) { seen += 1 }
            }
        }
        #expect(seen == 10)
    }

    @Test func `a session that is asked for the password again has ten tries, which strangers' do not use up`()
        async throws
    {
        let ann = try await world.member("ann")
        for number in 0..<20 { _ = try await guess(from: Self.origin("192.0.2.\(number)")) }
        try await world.accounts.check(AccountWorld.password, of: ann.id)
        for _ in 0..<10 {
            await #expect(throws: AccountError.wrongCredentials) {
                try await world.accounts.check(Secret("not the password"), of: ann.id)
            }
        }
        await #expect(throws: AccountError.self) { try await world.accounts.check(AccountWorld.password, of: ann.id) }
        world.wait(15 * 60)
        try await world.accounts.check(AccountWorld.password, of: ann.id)
    }
}
