internal import ChirpAccounts
internal import ChirpCommunity
internal import ChirpWeb
internal import Foundation
internal import NIOCore

extension ListeningDesk {
    /// Tells the ears of a play: what belongs to the session, and the bytes that all sessions share.
    func tell(_ play: ListeningPlay, _ one: RunningSession) {
        guard !one.ears.isEmpty else { return }
        let tail = play.post.flatMap { tails[$0] }
        // Without its bytes at hand the whole is told again.
        guard play.post == nil || tail != nil else {
            one.owesSession = true
            return
        }
        let pieces = event("play", head(play, tail, one), tail?.bytes ?? LiveTail.gone.bytes)
        for ear in one.ears.values { ear.push(pieces) }
    }

    /// Tells the ears what the loudspeaker is to do, when that is something else than before.
    func tellTurn(_ one: RunningSession) {
        let turn = one.turn?.isAllowed == true ? one.turn : nil
        guard turn?.number != one.told else { return }
        one.told = turn?.number
        let pieces = event("turn", LiveTelling.turn(turn))
        for ear in one.ears.values { ear.push(pieces) }
    }

    /// Tells the ears how everything stands.
    func tellSession(_ one: RunningSession) async {
        guard !one.ears.isEmpty, let seen = try? await posts(of: one) else { return }
        let pieces = event("session", document(one, seen))
        for ear in one.ears.values { ear.push(pieces) }
    }

    /// The posts of a session's plays that its listener sees now.
    func posts(of one: RunningSession) async throws(LibraryError) -> [Int64: HubPost] {
        try await store.posts(
            at: one.plays.suffix(RunningSession.mostTold).compactMap(\.post), seenBy: one.row.account)
    }

    /// A session as programs are told it.
    func document(_ one: RunningSession, _ seen: [Int64: HubPost]) -> [UInt8] {
        let turn = one.turn?.isAllowed == true ? one.turn : nil
        var json = JSONText()
        json.object { json in
            json.field("id", one.row.id)
            json.field("state", one.phase(at: times.date()))
            json.field("begins", one.row.begins)
            json.field("ends", one.row.ends)
            json.field("followsClock", one.row.followsClock)
            json.field("accounts") { json in
                json.array(one.row.chosen) { json, person in
                    json.object { json in
                        json.field("id", person.id.rawValue)
                        json.field("handle", person.handle)
                        json.field("name", person.name)
                    }
                }
            }
            json.field("paused", one.row.isPaused)
            json.field("waiting", one.plays.count { $0.state == .queued && $0.post != nil })
            json.field("now", times.date())
        }
        var bytes = Array(json.bytes.dropLast())
        bytes += Array(",\"turn\":".utf8) + LiveTelling.turn(turn) + Array(",\"plays\":[".utf8)
        for (index, play) in one.plays.suffix(RunningSession.mostTold).enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            let tail = play.post.flatMap { seen[$0] }.flatMap(tail(of:))
            bytes += head(play, tail, one)
            bytes += (tail ?? .gone).bytes.readableBytesView
        }
        return bytes + Array("]}".utf8)
    }

    private func head(_ play: ListeningPlay, _ tail: LiveTail?, _ one: RunningSession) -> [UInt8] {
        let listed = (one.row.ended ?? one.row.ends).addingTimeInterval(store.retention)
        let isExpired = tail?.expires.map { $0 <= times.date() } ?? false
        let absence = play.post == nil ? "deleted" : isExpired ? "expired" : tail == nil ? "withheld" : nil
        return LiveTelling.head(
            play, keptUntil: tail?.expires.map { min($0, listed) } ?? listed, isGone: absence != nil,
            why: absence ?? play.why)
    }

    /// The pieces of an event.
    func event(_ name: String, _ data: [UInt8], _ tail: ByteBuffer? = nil) -> [ByteBuffer] {
        events += 1
        var first = LiveTelling.begin(name, id: events)
        first.writeBytes(data)
        guard let tail else {
            first.writeString("\n\n")
            return [first]
        }
        return [first, tail, LiveTelling.end]
    }
}
