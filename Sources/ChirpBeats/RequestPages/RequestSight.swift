internal import ChirpAccounts
internal import ChirpCommunity
internal import ChirpOrders
internal import ChirpWeb
internal import FoundationEssentials
internal import GRDB

/// A request as one of the two sees it, with the people and things that it names.
struct RequestSight {
    let request: BeatRequest
    let side: RequestState.Side
    let other: PostAuthor?
    var moves: [RequestMove] = []
    var clip: HubClip?
    var reference: Track?
    /// What was or will be handed over; told to its producer alone until it is.
    var track: HubID?

    static func path(_ id: HubID) -> String { "\(BeatDesk.path)/requests/\(id)" }
    var path: String { Self.path(request.id) }
    var isTurn: Bool { request.state.turn == side }

    /// As programs read it.
    func write(_ json: inout JSONText) {
        json.field("id", request.id.text)
        json.field("side", side.rawValue)
        json.field("with", other?.handle)
        json.field("state", request.state.phase.rawValue)
        json.field("turn", request.state.turn?.rawValue)
        json.field("yourTurn", isTurn)
        json.field("amount", request.state.money?.digits)
        json.field("currency", request.state.money?.currency.code)
        json.field("seen", request.state.moves)
        json.field("words", request.words)
        json.field("clip", request.clip?.text)
        json.field("like", request.reference?.text)
        json.field("created", request.created)
        json.field("changed", request.changed)
        json.field("expires", request.expires)
        json.field("moves") { json in
            json.array(moves) { json, move in
                json.object { json in
                    json.field("act", move.act?.rawValue ?? "expire")
                    json.field("side", move.side?.rawValue)
                    json.field("amount", move.money?.digits)
                    json.field("currency", move.money?.currency.code)
                    json.field("words", move.words)
                    json.field("at", move.at)
                }
            }
        }
    }
}

extension DealDesk {
    /// A request of hers with everything that it names.
    ///
    /// - Throws: ``RequestRefusal/notFound`` for whoever has no part in it.
    func sight(of id: HubID, for account: AccountID, tracks: TrackStore) async throws -> RequestSight {
        guard let request = try await requests.request(id, for: account), let side = request.side(of: account) else {
            throw RequestRefusal.notFound
        }
        var sight = RequestSight(
            request: request, side: side, other: try await library.author(request.person(side.other)))
        sight.moves = try await requests.moves(of: id, for: account)
        if let clip = request.clip { sight.clip = try await library.seen(by: .member(account)).sent(clip) }
        if let reference = request.reference,
            case .track(let track) = try await tracks.track(reference, for: .member(account))
        {
            sight.reference = track
        }
        if side == .producer || request.state.phase == .delivered {
            sight.track = try await library.reading { try requests.track(of: id, in: $0) }
        }
        return sight
    }

    /// Her requests, the newest first, without what was said.
    func sights(of account: AccountID) async throws -> [RequestSight] {
        var people: [AccountID: PostAuthor] = [:]
        var sights: [RequestSight] = []
        for request in try await requests.requests(of: account) {
            guard let side = request.side(of: account) else { continue }
            let other = request.person(side.other)
            if people[other] == nil { people[other] = try await library.author(other) }
            sights.append(RequestSight(request: request, side: side, other: people[other]))
        }
        return sights
    }
}
