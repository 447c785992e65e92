package import ChirpCommunity
internal import ChirpCore
package import ChirpFederation
internal import ChirpHTTP
internal import FoundationEssentials
internal import Synchronization

/// Takes what other servers send: nothing is done, and nothing is answered with yes, before it is proved who has signed it.
package struct InboxDesk: Sendable {
    let library: HubLibrary
    let links: FediverseLinks
    let client: FederationClient
    let rules: FederationRules
    let hub: HubSigner
    /// Keys are fetched from where strangers say: only so many at once, and others wait only so long.
    let fetches = FetchGate()

    /// How old what is known of somebody may be, in seconds.
    static let freshness = 24 * 3600.0
    /// The most bytes of an activity.
    package static let mostBytes = 512 << 10

    package enum Answer: Hashable, Sendable {
        /// Done, done before, or nothing that is done here.
        case accepted
        /// Nobody vouches for it.
        case unproved(String)
        /// Who vouches for it may not do that, or is not let in.
        case forbidden(String)
        case malformed(String)
        /// Another time.
        case busy
    }

    package func receive(_ request: IncomingRequest) async throws(LibraryError) -> Answer {
        let claim: SignatureClaim
        do throws(SignatureError) { claim = try SignatureClaim(of: request) } catch {
            return .unproved(error.whatHappened)
        }
        let activity: IncomingActivity
        do throws(DocumentError) { activity = try IncomingActivity(reading: request.body) } catch {
            return .malformed(error.whatHappened)
        }
        // The key, who has it, and what she does are of one server, so a stranger's word is worth as much as its server's.
        guard claim.keyID.origin == activity.actor.origin,
            activity.id.map({ $0.origin == activity.actor.origin }) ?? true
        else { return .forbidden("actor, key and activity are of different servers") }
        guard activity.actor.origin != WebOrigin(links.publicURL) else { return .forbidden("it is of this hub") }
        let host = FediverseLinks.host(of: activity.actor.address)
        guard try await library.serverRules().lets(host) else { return .forbidden("\(host) is not let in") }

        let person: RemotePerson
        let proof: VerifiedSignature
        switch try await prove(claim, of: activity) {
        case .success(let found): (person, proof) = found
        case .failure(let refusal): return refusal.answer
        }
        if case .updateActor(let actor) = activity.content {
            if let facts = Self.facts(actor) { _ = try await library.keep(facts) }
            return .accepted
        }
        let id = activity.id?.text ?? "signature:\(proof.fingerprint)"
        if case .move(let target) = activity.content { return try await move(person, to: target, activity: id) }
        guard let act = act(activity) else { return .accepted }
        try await library.apply(act, by: person, activity: id)
        return .accepted
    }

    private struct Refusal: Error { let answer: Answer }

    /// Finds the key and checks the signature: by what is known, and by what her server says now when that is old or does not fit.
    private func prove(
        _ claim: SignatureClaim, of activity: IncomingActivity
    ) async throws(LibraryError) -> Result<(RemotePerson, VerifiedSignature), Refusal> {
        let now = library.now()
        if let known = try await library.remotePerson(at: activity.actor.text), known.facts.keyID == claim.keyID.text,
            now.timeIntervalSince(known.fetched) < Self.freshness
        {
            do throws(SignatureError) {
                return .success((known, try Self.verify(claim, known.facts.keyText, now)))
            } catch {
                // She may have another key since.
                guard error == .wrongKey else { return .failure(Refusal(answer: .unproved(error.whatHappened))) }
            }
        }
        let facts: RemotePerson.Facts
        switch await fetch(claim, activity) {
        case .success(let found): facts = found
        case .failure(let refusal): return .failure(refusal)
        }
        do throws(SignatureError) {
            let proof = try Self.verify(claim, facts.keyText, library.now())
            return .success((try await keep(facts), proof))
        } catch {
            return .failure(Refusal(answer: .unproved(error.whatHappened)))
        }
    }

    /// Errors of the library are not those of signatures.
    private func keep(_ facts: RemotePerson.Facts) async throws(SignatureError) -> RemotePerson {
        guard let kept = try? await library.keep(facts) else { throw .wrongKey }
        return kept
    }

    private static func verify(
        _ claim: SignatureClaim, _ pem: String, _ now: Date
    ) throws(SignatureError) -> VerifiedSignature {
        guard let key = try? VerificationKey(pem: pem) else { throw .wrongKey }
        return try claim.verify(by: key, now: now)
    }

    private func fetch(
        _ claim: SignatureClaim, _ activity: IncomingActivity
    ) async -> Result<RemotePerson.Facts, Refusal> {
        guard let signer = await hub.signer() else { return .failure(Refusal(answer: .busy)) }
        guard await fetches.enter() else { return .failure(Refusal(answer: .busy)) }
        defer { fetches.leave() }
        do throws(FetchError) {
            let actor = try await client.owner(ofKey: claim.keyID, signer: signer)
            guard actor.id == activity.actor, let key = actor.key, key.id == claim.keyID, let facts = Self.facts(actor)
            else { return .failure(Refusal(answer: .forbidden("the key is not the actor's"))) }
            return .success(facts)
        } catch {
            // Servers tell everybody of those who are gone; who is gone and was never known here leaves nothing to do.
            if error == .gone, case .deleteActor = activity.content { return .failure(Refusal(answer: .accepted)) }
            if case .forbidden(let reason) = error { return .failure(Refusal(answer: .forbidden(reason))) }
            return .failure(Refusal(answer: .unproved("the key cannot be fetched: \(error.whatHappened)")))
        }
    }

    /// What is kept of somebody; nil without a key.
    static func facts(_ actor: RemoteActor) -> RemotePerson.Facts? {
        guard let key = actor.key, actor.inbox.origin == actor.id.address.origin else { return nil }
        let host = FediverseLinks.host(of: actor.id.address)
        let shared = actor.sharedInbox.flatMap { $0.origin == actor.id.address.origin ? $0.text : nil }
        return RemotePerson.Facts(
            address: actor.id.text, host: host, handle: PlainText("\(actor.handle)@\(host)", limit: 200).value,
            name: PlainText(actor.name, limit: 200).value, page: actor.page?.text ?? actor.id.address.text,
            inbox: actor.inbox.text, sharedInbox: shared, outbox: actor.outbox?.text, keyID: key.id.text,
            keyText: key.pem)
    }
}
