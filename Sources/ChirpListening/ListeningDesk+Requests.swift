package import ChirpAccounts
package import ChirpCommunity
internal import ChirpCore
internal import ChirpFlows
internal import ChirpJournal
internal import Foundation

/// What a listener asks for while live (CH-8, CH-12).
package enum ListeningRequest: Hashable, Sendable {
    case pause, resume, skip, stop
    /// A play of the session; nil: the one that is heard, or was heard last.
    case replay(Int64?)
}

/// How far the loudspeaker is with a turn.
package enum LoudspeakerReport: Hashable, Sendable {
    case started
    /// Seconds that were heard.
    case position(Double)
    case ended
    case failed(why: String)
}

extension ListeningDesk {
    /// What came of the wish to begin.
    package enum Beginning: Sendable {
        case begun(document: [UInt8])
        case alreadyLive(String)
    }

    /// Begins a session; the first thing is its row.
    package func begin(
        _ account: AccountID, chosen: [AccountID], window: ListeningWindow
    ) async throws(LibraryError) -> Beginning {
        try await ready()
        switch try await store.begin(account, chosen: chosen, window: window) {
        case .alreadyLive(let id): return .alreadyLive(id)
        case .begun(let row): return .begun(document: await drive(row))
        }
    }

    /// Drives a session from its row on.
    package func drive(_ row: ListeningSession) async -> [UInt8] {
        let one = begin(row)
        await settle(one)
        return document(one, [:])
    }

    /// The session of an account as programs are told it; nil when none runs.
    package func document(of account: AccountID) async throws(LibraryError) -> [UInt8]? {
        guard let one = try await session(of: account) else { return nil }
        let seen = try await posts(of: one)
        return document(one, seen)
    }

    /// Its row and what arrived, for the page; nil when none runs.
    package func state(
        of account: AccountID
    ) async throws(LibraryError) -> (row: ListeningSession, plays: [ListeningPlay], posts: [Int64: HubPost])? {
        guard let one = try await session(of: account) else { return nil }
        let seen = try await posts(of: one)
        return (one.row, one.plays.suffix(RunningSession.mostTold), seen)
    }

    /// Changes the session that runs.
    ///
    /// - Returns: false when none runs.
    package func change(
        _ account: AccountID, chosen: [AccountID]?, window: ListeningWindow?
    ) async throws(LibraryError) -> Bool {
        guard let one = try await session(of: account) else { return false }
        let row = try await store.change(one.row.number, chosen: chosen, readTo: place, window: window)
        guard let row, sessions[one.row.number] != nil else { return false }
        if chosen != nil {
            changeChosen(one, to: row.chosen)
            one.row.readTo = row.readTo
            // Who is not chosen any more is not begun to be heard.
            if one.turn?.isStarted == false { one.turn?.isAsked = false }
        }
        if let window {
            (one.row.begins, one.row.ends) = (window.begins, window.ends)
            one.row.followsClock = window.followsClock
            one.overSince = nil
            let wanted = LiveWindow(begins: window.begins, ends: window.ends, followsClock: window.followsClock)
            take(.request(.window(wanted)), one)
            one.hasMoved = false
        } else {
            take(.tick, one)
        }
        one.owesSession = true
        await settle(one)
        return true
    }

    /// Does what was asked for, when a session runs.
    ///
    /// - Returns: the session afterwards; nil when none runs, or the play is none of its.
    package func ask(
        _ request: ListeningRequest, of account: AccountID
    ) async throws(LibraryError) -> [UInt8]? {
        guard let one = try await session(of: account) else { return nil }
        switch request {
        case .pause, .resume:
            let pauses = request == .pause
            if one.row.isPaused != pauses {
                _ = try await store.change(one.row.number, isPaused: pauses)
                one.row.isPaused = pauses
                if one.machine.isPaused != pauses { take(.request(.togglePause), one) }
                if !pauses, one.turn?.isStarted == false { one.turn?.isAsked = false }
                one.owesSession = true
            }
        case .skip:
            if let turn = one.turn {
                if !turn.turn.isReplay {
                    try await mark(turn.turn.play.rawValue, .skipped, seconds: turn.position, one)
                }
                if one.turn?.number == turn.number { take(.request(.skip), one) }
            }
        case .replay(let play):
            if let play, one.play(play) == nil { return nil }
            let wanted = play ?? one.turn?.turn.play.rawValue ?? one.plays.last { $0.state == .played }?.id
            if let wanted { take(.request(.replay(PlayID(rawValue: wanted))), one) }
        case .stop: take(.request(.stop), one)
        }
        await settle(one)
        let seen = try await posts(of: one)
        return document(one, seen)
    }

    /// Takes what the loudspeaker says. Of a turn that is not the present one nothing is taken.
    package func report(
        _ report: LoudspeakerReport, turn number: Int64, of account: AccountID
    ) async throws(LibraryError) {
        guard let one = try await session(of: account), let turn = one.turn, turn.number == number, turn.isAllowed
        else { return }
        one.lastSign = times.uptime()
        let (id, isReplay) = (turn.turn.play.rawValue, turn.turn.isReplay)
        switch report {
        case .started:
            guard !turn.isStarted else { return }
            if !isReplay { try await mark(id, .playing, seconds: turn.position, one) }
            if one.turn?.number == number { one.turn?.isStarted = true }
        case .position(let seconds):
            guard seconds.isFinite, (0...Self.longest).contains(seconds) else { return }
            one.turn?.position = seconds
            guard !isReplay, abs(seconds - turn.noted) >= Self.step else { return }
            one.turn?.noted = seconds
            if let index = one.index(of: id) { one.plays[index].seconds = seconds }
            try await store.note(seconds, of: id)
        case .ended: try await end(turn, .played, why: "", one)
        case .failed(let why): try await end(turn, .failed, why: PlainText(why, limit: 200).value, one)
        }
    }

    private func end(
        _ turn: RunningSession.Turn, _ state: ListeningPlay.State, why: String, _ one: RunningSession
    ) async throws(LibraryError) {
        if !turn.turn.isReplay { try await mark(turn.turn.play.rawValue, state, seconds: turn.position, why: why, one) }
        guard one.turn?.number == turn.number else { return }
        one.turn = nil
        take(.ended(turn.turn), one)
        await settle(one)
    }

    /// No clip is longer, in seconds.
    private static let longest = 86_400.0
    /// How much has to be heard before that is written down again, in seconds.
    private static let step = 10.0
}
