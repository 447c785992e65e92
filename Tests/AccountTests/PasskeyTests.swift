import ChirpAccounts
import ChirpCore
import ChirpTestKit
import Crypto
import Foundation
import Testing

/// Passkeys (Web Authentication, level 2, sections 7.1 and 7.2), by an authenticator that can do everything wrong.
@Suite struct PasskeyTests {
    private let world: AccountWorld
    private let party: PasskeyParty

    private static let origin = "https://hub.example"

    init() throws {
        world = try AccountWorld(isLimited: true)
        party = try #require(PasskeyParty(publicURL: "\(Self.origin)/chirp"))
    }

    private func add(_ device: SoftAuthenticator, to account: AccountID) async throws {
        let asked = try await world.accounts.passkeyChallenge(for: account).challenge.reveal()
        let answer = device.register(challenge: asked, party: party.id, origin: Self.origin)
        try await add(answer, asked, to: account)
    }

    private func add(_ answer: SoftAuthenticator.Answer, _ challenge: String, to account: AccountID) async throws {
        let registration = try #require(
            PasskeyAnswer.Registration(clientData: answer.client, attestation: answer.attestation))
        try await world.accounts.add(
            registration, challenge: #require(OpaqueToken(shown: challenge)), name: "telephone", to: account, at: party)
    }

    private func asked() async throws -> String {
        try await world.accounts.passkeyChallenge(for: nil).challenge.reveal()
    }

    private func enter(
        _ answer: SoftAuthenticator.Answer, _ challenge: String, from origin: SignInOrigin = .inside
    ) async throws -> Accounts.Entry {
        let assertion = try #require(
            PasskeyAnswer.Assertion(
                credential: answer.credential, clientData: answer.client, authenticatorData: answer.authenticator,
                signature: answer.signature, userHandle: answer.user))
        return try await world.accounts.enter(
            by: assertion, challenge: #require(OpaqueToken(shown: challenge)), at: party, agent: "a browser",
            from: origin)
    }

    @Test func `a passkey that was added signs its account in`() async throws {
        let ann = try await world.member("ann")
        var device = SoftAuthenticator()
        try await add(device, to: ann.id)
        device.userHandle = try await world.accounts.passkeyChallenge(for: ann.id).userHandle
        let challenge = try await asked()
        let answer = try device.show(challenge: challenge, party: party.id, origin: Self.origin)
        guard case .signedIn(let session) = try await enter(answer, challenge) else {
            Issue.record("nobody was signed in")
            return
        }
        #expect(try await world.accounts.account(of: session.token)?.id == ann.id)
        let list = try await world.accounts.passkeys(of: ann.id)
        #expect(list.map(\.name) == ["telephone"] && list[0].used != nil && list[0].isSynced)
        // A challenge works once.
        await #expect(throws: AccountError.deadLink) { try await enter(answer, challenge) }
    }

    @Test func `the account of an authenticator asks for no code behind a passkey`() async throws {
        let ann = try await world.member("ann")
        let factor = world.accounts.newSecondFactor()
        _ = try await world.accounts.switchOn(
            factor, code: factor.code(atStep: OneTimeCode.step(at: world.now)), of: ann.id)
        let device = SoftAuthenticator()
        try await add(device, to: ann.id)
        let challenge = try await asked()
        let entry = try await enter(
            device.show(challenge: challenge, party: party.id, origin: Self.origin), challenge)
        guard case .signedIn = entry else {
            Issue.record("nobody was signed in")
            return
        }
    }

    @Test func `what is not made for this hub, this page and this challenge is refused`() async throws {
        let ann = try await world.member("ann")
        let device = SoftAuthenticator()
        let challenge = try await world.accounts.passkeyChallenge(for: ann.id).challenge.reveal()
        for (asked, host, origin) in [
            (OpaqueToken().secret.reveal(), party.id, Self.origin), (challenge, "elsewhere.example", Self.origin),
            (challenge, party.id, "https://elsewhere.example"), (challenge, party.id, "http://hub.example"),
        ] {
            let answer = device.register(challenge: asked, party: host, origin: origin)
            await #expect(throws: AccountError.wrongCredentials) { try await add(answer, challenge, to: ann.id) }
        }
        try await add(device, to: ann.id)
        for (swap, host, origin) in [
            (true, party.id, Self.origin), (false, "elsewhere.example", Self.origin),
            (false, party.id, "https://hub.example.elsewhere.example"),
        ] {
            let challenge = try await asked()
            let answer = try device.show(
                challenge: swap ? try await asked() : challenge, party: host, origin: origin)
            await #expect(throws: AccountError.wrongCredentials) { try await enter(answer, challenge) }
        }
    }

    @Test func `a passkey that did not look who holds it, and one that nobody touched, are refused`() async throws {
        let ann = try await world.member("ann")
        for flags: UInt8 in [0x01, 0x04, 0x00] {
            var device = SoftAuthenticator()
            device.flags = flags
            await #expect(throws: AccountError.wrongCredentials, "\(flags)") { try await add(device, to: ann.id) }
            device.flags = 0x05
            try await add(device, to: ann.id)
            device.flags = flags
            let challenge = try await asked()
            let answer = try device.show(challenge: challenge, party: party.id, origin: Self.origin)
            await #expect(throws: AccountError.wrongCredentials, "\(flags)") { try await enter(answer, challenge) }
        }
    }

    @Test func `authenticators know an account by a name that its hub alone can compute`() async throws {
        let (ann, bob) = (try await world.member("ann"), try await world.member("bob"))
        func name(_ account: HubAccount, key: UInt8) async throws -> String {
            let accounts = world.accounts(key: LetterKey([UInt8](repeating: key, count: 32)))
            return try await accounts.passkeyChallenge(for: account.id).userHandle
        }
        let first = try await name(ann, key: 7)
        #expect(try await name(ann, key: 7) == first, "the same after a restart")
        #expect(try await name(bob, key: 7) != first)
        // At a hub with another key it is another one: what is public of an account is not enough.
        #expect(try await name(ann, key: 8) != first)
    }

    @Test func `another key, another account's name and a twin that counts back are refused`() async throws {
        let (ann, bob) = (try await world.member("ann"), try await world.member("bob"))
        var device = SoftAuthenticator()
        device.count = 7
        try await add(device, to: ann.id)
        // The name of the passkey, signed by another key.
        var challenge = try await asked()
        var forged = try SoftAuthenticator().show(challenge: challenge, party: party.id, origin: Self.origin)
        forged.credential = device.credential.base64URL
        await #expect(throws: AccountError.wrongCredentials) { try await enter(forged, challenge) }
        // Its own signature beside the name of another person.
        challenge = try await asked()
        device.count = 8
        device.userHandle = try await world.accounts.passkeyChallenge(for: bob.id).userHandle
        var answer = try device.show(challenge: challenge, party: party.id, origin: Self.origin)
        await #expect(throws: AccountError.wrongCredentials) { try await enter(answer, challenge) }
        device.userHandle = ""
        for (count, isRight) in [(8, true), (8, false), (7, false), (0, false), (9, true)] as [(UInt32, Bool)] {
            device.count = count
            challenge = try await asked()
            answer = try device.show(challenge: challenge, party: party.id, origin: Self.origin)
            let entry = try? await enter(answer, challenge)
            #expect((entry != nil) == isRight, "\(count)")
        }
    }

    @Test
    func `of forged answers that come at once from one network twenty are looked at, and right ones do not count`()
        async throws
    {
        let ann = try await world.member("ann")
        var device = SoftAuthenticator()
        try await add(device, to: ann.id)
        device.userHandle = try await world.accounts.passkeyChallenge(for: ann.id).userHandle
        let origin = SignInOrigin(network: ClientNetwork("192.0.2.1")) { _, _ in nil }
        for _ in 0..<25 {
            let challenge = try await asked()
            let answer = try device.show(challenge: challenge, party: party.id, origin: Self.origin)
            _ = try await enter(answer, challenge, from: origin)
        }
        let forger = SoftAuthenticator()
        var forged: [(SoftAuthenticator.Answer, String)] = []
        for _ in 0..<40 {
            let challenge = try await asked()
            forged.append((try forger.show(challenge: challenge, party: party.id, origin: Self.origin), challenge))
        }
        let seen = await withTaskGroup(of: Bool.self) { group in
            for (answer, challenge) in forged {
                group.addTask {
                    do { _ = try await enter(answer, challenge, from: origin) } catch {
                        return (error as? AccountError) == .wrongCredentials
                    }
                    return true
                }
            }
            return await group.reduce(into: 0) { if $1 { $0 += 1 } }
        }
        #expect(seen == 20)
    }

    @Test func `a key under which a signature proves nothing is none`() async throws {
        let ann = try await world.member("ann")
        func p256(_ x: [UInt8], _ y: [UInt8]) -> [UInt8] {
            [0xA5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20] + x + [0x22, 0x58, 0x20] + y
        }
        func ed25519(_ x: [UInt8]) -> [UInt8] { [0xA4, 0x01, 0x01, 0x03, 0x27, 0x20, 0x06, 0x21, 0x58, 0x20] + x }
        func rsa(_ modulus: [UInt8], _ exponent: [UInt8]) -> [UInt8] {
            [
                0xA4, 0x01, 0x03, 0x03, 0x39, 0x01, 0x00, 0x20, 0x59, UInt8(modulus.count >> 8),
                UInt8(modulus.count & 255),
            ]
                + modulus + [0x21, 0x40 + UInt8(exponent.count)] + exponent
        }
        let (zeros, ones) = ([UInt8](repeating: 0, count: 32), [UInt8](repeating: 1, count: 32))
        let modulus = [UInt8](repeating: 0xC5, count: 256)
        for (name, key) in [
            ("not on the curve", p256(ones, ones)), ("the origin", p256(zeros, zeros)),
            ("Ed25519, order 4", ed25519(zeros)), ("Ed25519, order 1", ed25519([1] + zeros.dropLast())),
            ("Ed25519, no point", ed25519([2] + zeros.dropLast())),
            ("RSA, 2,040 bits", rsa([0] + modulus.dropLast(), [1, 0, 1])),
            ("RSA, 2,047 bits", rsa([0x7F] + modulus.dropLast(), [1, 0, 1])),
            ("RSA, even", rsa(modulus.dropLast() + [2], [1, 0, 1])), ("RSA, exponent 1", rsa(modulus, [1])),
            ("RSA, exponent 1 at length", rsa(modulus, [0, 0, 1])), ("RSA, exponent 2", rsa(modulus, [2])),
        ] {
            var device = SoftAuthenticator()
            device.claimedKey = key
            await #expect(throws: AccountError.wrongCredentials, "\(name)") { try await add(device, to: ann.id) }
        }
        // Whole keys of the same kinds are taken.
        for key in [
            ed25519([UInt8](Curve25519.Signing.PrivateKey().publicKey.rawRepresentation)), rsa(modulus, [1, 0, 1]),
        ] {
            var device = SoftAuthenticator()
            device.claimedKey = key
            try await add(device, to: ann.id)
        }
        #expect(try await world.accounts.passkeys(of: ann.id).count == 2)
    }

    @Test func `a challenge is for whom it was made, and for five minutes`() async throws {
        let (ann, bob) = (try await world.member("ann"), try await world.member("bob"))
        let device = SoftAuthenticator()
        for (owner, wait) in [(bob.id, 0), (ann.id, Accounts.longestChallenge + 1)] {
            let challenge = try await world.accounts.passkeyChallenge(for: owner).challenge.reveal()
            let answer = device.register(challenge: challenge, party: party.id, origin: Self.origin)
            world.wait(wait)
            await #expect(throws: AccountError.deadLink) { try await add(answer, challenge, to: ann.id) }
        }
        // One of a sign-in adds nothing.
        let challenge = try await asked()
        let answer = device.register(challenge: challenge, party: party.id, origin: Self.origin)
        await #expect(throws: AccountError.deadLink) { try await add(answer, challenge, to: ann.id) }
    }

    @Test func `a passkey is one account's`() async throws {
        let (ann, bob) = (try await world.member("ann"), try await world.member("bob"))
        let device = SoftAuthenticator()
        try await add(device, to: ann.id)
        await #expect(throws: AccountError.identityTaken) { try await add(device, to: bob.id) }
        let id = try #require(try await world.accounts.passkeys(of: ann.id).first?.id)
        try await world.accounts.removePasskey(id, of: bob.id)
        #expect(try await world.accounts.passkeys(of: ann.id).count == 1)
        try await world.accounts.removePasskey(id, of: ann.id)
        #expect(try await world.accounts.passkeys(of: ann.id).isEmpty)
    }

    @Test func `rubbish of any length is refused, and changes nothing`() async throws {
        let ann = try await world.member("ann")
        let device = SoftAuthenticator()
        let challenge = try await world.accounts.passkeyChallenge(for: ann.id).challenge.reveal()
        let whole = device.register(challenge: challenge, party: party.id, origin: Self.origin)
        let bytes = try #require(Base64URL.decode(whole.attestation))
        for count in 0..<bytes.count {
            var cut = whole
            cut.attestation = bytes.prefix(count).base64URL
            guard !cut.attestation.isEmpty else { continue }
            await #expect(throws: AccountError.wrongCredentials, "\(count)") {
                try await add(cut, challenge, to: ann.id)
            }
        }
        // Heads that promise more than there is: texts, lists, maps, and maps within maps.
        for head: [UInt8] in [
            [0x5B] + Array(repeating: 0xFF, count: 8), [0x9B] + Array(repeating: 0xFF, count: 8),
            [0xBB] + Array(repeating: 0xFF, count: 8), Array(repeating: 0xA1, count: 9000), [0xBF, 0xFF], [0xFB],
        ] {
            var odd = whole
            odd.attestation = head.base64URL
            await #expect(throws: AccountError.wrongCredentials) { try await add(odd, challenge, to: ann.id) }
        }
        #expect(try await world.accounts.passkeys(of: ann.id).isEmpty)
        try await add(whole, challenge, to: ann.id)
    }

    @Test(arguments: [
        ("https://hub.example", "hub.example", "https://hub.example"),
        ("https://Hub.Example:8443/chirp", "hub.example", "https://hub.example:8443"),
        ("http://localhost:4747", "localhost", "http://localhost:4747"),
        ("http://hub.example", nil, ""), ("http://127.0.0.1:4747", nil, ""), ("https://192.0.2.1", nil, ""),
        ("https://[2001:db8::1]", nil, ""),
    ])
    func `passkeys are for a name, and for https or this machine`(url: String, id: String?, origin: String) {
        let party = PasskeyParty(publicURL: url)
        #expect(party?.id == id && party?.origin ?? "" == origin)
    }
}
