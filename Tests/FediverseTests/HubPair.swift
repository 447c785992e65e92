import ChirpAccounts
import ChirpCommunity
import ChirpCore
import ChirpFederation
import ChirpFediverse
import ChirpHTTP
import Foundation
import HubHousehold
import Synchronization
import Testing

/// Two hubs that speak with each other, with all their signatures, in one process: Ann is at one, Bob at the other.
struct HubPair {
    let near: Side
    let far: Side
    let wire: HubWire

    /// - Parameter clock: what Ann's hub measures waiting with.
    init(clock: any Clock<Duration> = LeisurelyClock()) async throws {
        wire = HubWire()
        near = try await Side("https://near.example", "ann", key: 0, wire, clock: clock)
        far = try await Side("https://far.example", "bob", key: 1, wire)
        for side in [near, far] { wire.join(side.hub) }
    }

    /// Delivers what waits on both sides until nothing does, and fetches what was told of.
    func settle() async {
        for _ in 1...3 { for side in [near, far] { await side.hub.fediverse.deliveries.round() } }
        for side in [near, far] { await side.hub.fediverse.clips?.round() }
    }

    /// A hub and somebody there.
    struct Side {
        let hub: HubNode
        let person: AccountID
        /// As others find her.
        let name: String

        init(
            _ publicURL: String, _ handle: String, key: Int, _ wire: HubWire,
            clock: any Clock<Duration> = LeisurelyClock()
        ) async throws {
            hub = try HubNode(publicURL, wire, clock: clock)
            // Making a key takes some tenths of a second.
            _ = try await hub.house.library.federationActorOfHub { try FediverseWorld.keys.get()[2].pem }
            person = try await hub.house.person(handle)
            try await hub.house.library.federate(person, key: try FediverseWorld.keys.get()[key].pem)
            name = "\(handle)@\(hub.fediverse.links.host)"
        }

        var library: HubLibrary { hub.house.library }
        var reader: HubReader { library.seen(by: .member(person)) }

        func home() async throws -> [HubPost] { try await reader.posts(.home, limit: 50).reversed() }

        /// Finds somebody at another hub and follows her.
        @discardableResult
        func follow(_ name: String) async throws -> PostAuthor {
            let found = try await hub.fediverse.find(name)
            try await library.follow(found.id, by: person)
            return found
        }

        /// Posts a clip.
        @discardableResult
        func clip(_ title: String, sound: String? = nil) async throws -> HubPost {
            let id = try await hub.house.save(Array((sound ?? "sound of \(title)").utf8), title: title)
            try await hub.house.change("UPDATE clips SET owner = '\(person.rawValue)' WHERE id = '\(id)'")
            var draft = PostDraft(author: person, text: "\(title) #Chirp", key: UUID().uuidString)
            draft.clip = HubID(id)
            return try await library.post(draft)
        }

        /// What lies in the library as a clip's file.
        func sound(of post: HubPost?) throws -> String? {
            guard let clip = post?.clip else { return nil }
            return try String(contentsOfFile: "\(hub.house.mediaFolder)/\(clip.id).mp3", encoding: .utf8)
        }
    }
}

/// A hub as others meet it: its addresses, without pages.
final class HubNode: Sendable {
    let house: HubHousehold
    let fediverse: Fediverse

    init(_ publicURL: String, _ wire: any HTTPTransport, clock: any Clock<Duration>) throws {
        let house = try HubHousehold(publicURL: publicURL)
        self.house = house
        let links = try #require(FediverseLinks(publicURL: publicURL))
        // What was fetched is the clip: what makes others of it is tested elsewhere.
        let making = RemoteClipMaking { (order) async throws(RemoteClipMaking.Failure) in
            do {
                let data = try Data(contentsOf: URL(filePath: order.input))
                if data.starts(with: Array("noise".utf8)) { throw RemoteClipMaking.Failure.refused("it is no sound") }
                try? FileManager.default.removeItem(atPath: order.goal)
                try data.write(to: URL(filePath: order.goal))
                return RemoteClipMaking.Made(
                    bytes: Int64(data.count), sha256: order.sha256, sound: HubSound(seconds: 2))
            } catch let failure as RemoteClipMaking.Failure {
                throw failure
            } catch {
                throw .notNow("\(error)")
            }
        }
        fediverse = Fediverse(
            library: house.library, links: links, transport: wire, allowsLoopback: false, making: making,
            clock: clock, say: { _ in })
    }

    func answer(_ request: HTTPRequest) async -> HTTPResponse {
        do {
            return try await request.method == .post ? take(request) : give(request)
        } catch {
            return HTTPResponse(status: 500)
        }
    }

    private func give(_ request: HTTPRequest) async throws -> HTTPResponse {
        let parts = request.address.path.split(separator: "/").map(String.init)
        let document: DocumentValue?
        switch (parts.first, parts.count) {
        case (".well-known", 2):
            let subject = request.address.field("resource").flatMap(WebFinger.subject)
            let actor = if let subject { try await fediverse.actor(of: subject) } else { LocalActor?.none }
            guard let actor else { return HTTPResponse(status: 404) }
            return HTTPResponse(
                status: 200, headers: ["Content-Type": WebFinger.mediaType],
                body: WebFinger.document(of: actor, host: fediverse.links.host).bytes)
        case ("ap", 3) where parts[1] == "actors":
            let kept = try await fediverse.library.federationActor(parts[2])
            document = if let kept { try await fediverse.documents.actor(kept)?.document } else { nil }
        case ("ap", 3) where parts[1] == "notes": document = try await fediverse.note(parts[2])?.document
        case ("media", 2):
            let path = "\(house.mediaFolder)/\(parts[1])"
            guard let data = FileManager.default.contents(atPath: path) else { return HTTPResponse(status: 404) }
            return HTTPResponse(status: 200, headers: ["Content-Type": "audio/mpeg"], body: Array(data))
        default: document = nil
        }
        guard let document else { return HTTPResponse(status: 404) }
        return HTTPResponse(status: 200, headers: ["Content-Type": MediaType.activity], body: document.bytes)
    }

    private func take(_ request: HTTPRequest) async throws -> HTTPResponse {
        let body = request.body.segments.flatMap { segment -> [UInt8] in
            if case .bytes(let bytes) = segment { bytes } else { [] }
        }
        let answer = try await fediverse.inbox.receive(
            IncomingRequest(
                method: request.method.rawValue, address: request.address, headers: request.headers, body: body))
        switch answer {
        case .accepted: return HTTPResponse(status: 202)
        case .unproved: return HTTPResponse(status: 401)
        case .forbidden: return HTTPResponse(status: 403)
        case .malformed: return HTTPResponse(status: 400)
        case .busy: return HTTPResponse(status: 503)
        }
    }
}

/// A clock by which seconds last minutes: a machine that has much else to do is not too slow by it.
struct LeisurelyClock: Clock {
    var now: ContinuousClock.Instant { .now }
    var minimumResolution: Duration { ContinuousClock().minimumResolution }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        let now = now
        let later = now.advanced(by: now.duration(to: deadline) * 20)
        try await ContinuousClock().sleep(until: later, tolerance: tolerance)
    }
}

/// What carries requests from one hub to the other, and does badly on demand.
final class HubWire: HTTPTransport {
    private struct State {
        var nodes: [String: HubNode] = [:]
        var answers: [String: [HTTPResponse]] = [:]
        var asked: [String] = []
        var endless: [String: PatienceClock] = [:]
    }

    private let state = Mutex(State())

    /// The addresses that were asked for.
    var asked: [String] { state.withLock { $0.asked } }

    func join(_ node: HubNode) { state.withLock { $0.nodes[node.fediverse.links.host] = node } }
    /// What an address answers instead, once for each.
    func answer(_ address: String, _ answers: HTTPResponse...) {
        state.withLock { $0.answers[address, default: []] += answers }
    }

    /// What lies at an address comes slowly and has no end.
    func drip(_ address: String, _ clock: PatienceClock?) { state.withLock { $0.endless[address] = clock } }

    func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        let (node, set) = state.withLock { state -> (HubNode?, HTTPResponse?) in
            let address = request.address.text
            state.asked.append(address)
            let set = state.answers[address].flatMap { $0.isEmpty ? nil : $0[0] }
            if set != nil { state.answers[address]?.removeFirst() }
            return (state.nodes[FediverseLinks.host(of: request.address)], set)
        }
        if let clock = state.withLock({ $0.endless[request.address.text] }), case .file(let path, _, _) = request.sink {
            request.answered?(200, ["Content-Type": "audio/mpeg"])
            _ = FileManager.default.createFile(atPath: path, contents: Data("some of it".utf8))
            await clock.outlast()
            throw .cancelled
        }
        var answer = HTTPResponse(status: 404)
        if let set { answer = set } else if let node { answer = await node.answer(request) }
        guard case .file(let path, _, let limit) = request.sink, answer.status == 200 else { return answer }
        guard answer.body.count <= limit else { throw .tooLarge(host: request.address.host, limit: ByteCount(limit)) }
        request.answered?(answer.status, answer.headers)
        guard FileManager.default.createFile(atPath: path, contents: Data(answer.body)) else {
            throw .inputOutput(path: path, reason: "cannot be written")
        }
        return HTTPResponse(status: 200, headers: answer.headers, fileBytes: Int64(answer.body.count))
    }
}
