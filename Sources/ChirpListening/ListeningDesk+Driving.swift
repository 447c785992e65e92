internal import ChirpAccounts
internal import ChirpCommunity
internal import ChirpFlows
internal import ChirpJournal
internal import Foundation

/// What the machine of a session says, what has to be asked or written down for it, and time.
extension ListeningDesk {
    /// - Parameter fresh: a play of which is known that it may be heard at this moment.
    func take(_ input: LiveMachine.Input, _ one: RunningSession, fresh: Int64? = nil) {
        var inputs = one.pending.map { LiveMachine.Input.arrived($0) }
        one.pending = []
        if !one.isTakenOver {
            one.isTakenOver = true
            if one.row.isPaused { inputs.append(.request(.togglePause)) }
        }
        inputs.append(input)
        let before = (one.machine.window, one.phase(at: times.date()))
        while !inputs.isEmpty {
            let input = inputs.removeFirst()
            for action in one.machine.take(input, now: times.uptime(), date: times.date()) {
                switch action {
                case .fetch(let id):
                    inputs.append(one.play(id.rawValue)?.post == nil ? .dropped(id) : .fetched(id))
                case .giveUp(let id): one.refused.append((id.rawValue, "many"))
                case .play(let turn): begin(turn, one, isAllowed: fresh == turn.play.rawValue)
                case .skip:
                    if let turn = one.turn?.turn {
                        one.turn = nil
                        inputs.append(.ended(turn))
                    }
                case .end: one.isEnding = true
                case .watch, .stopWatching, .pause, .resume: break
                }
            }
        }
        if one.machine.window != before.0 { one.hasMoved = true }
        tellTurn(one)
        if one.phase(at: times.date()) != one.toldPhase, one.toldPhase != nil { one.owesSession = true }
        one.toldPhase = one.phase(at: times.date())
        arm(one)
    }

    private func begin(_ turn: LiveTurn, _ one: RunningSession, isAllowed: Bool) {
        // Shifting loses what does not fit, and traps on nothing.
        let own = turn.isReplay ? 0 : turn.play.rawValue << RunningSession.turnBits
        one.turns = max(one.turns + 1, own)
        let heard = turn.isReplay ? 0 : one.play(turn.play.rawValue).map { $0.state == .playing ? $0.seconds : 0 } ?? 0
        one.turn = RunningSession.Turn(
            number: one.turns, turn: turn, position: heard, noted: heard, isAsked: isAllowed, isAllowed: isAllowed)
    }

    /// Does what needs the library: asks whether a turn may be heard (CH-22), and writes down what has ended.
    func settle(_ one: RunningSession) async {
        one.again = nil
        do throws(LibraryError) {
            while !one.refused.isEmpty {
                let (play, why) = one.refused[0]
                try await mark(play, .failed, why: why, one)
                one.refused.removeAll { $0.0 == play }
            }
            if one.hasMoved {
                let window = one.machine.window
                one.hasMoved = false
                one.row.begins = window.begins
                one.row.ends = window.ends ?? one.row.ends
                one.owesSession = true
                _ = try await store.change(
                    one.row.number,
                    window: ListeningWindow(
                        begins: one.row.begins, ends: one.row.ends, followsClock: one.row.followsClock))
            }
            while let turn = one.turn, !turn.isAsked { try await allow(turn, one) }
            if one.isEnding { try await finish(one) }
        } catch {
            if error != .cancelled { failed(error) }
            one.again = times.uptime() + Self.retry
            arm(one)
        }
        tellTurn(one)
        if one.owesSession {
            one.owesSession = false
            await tellSession(one)
        }
    }

    private func allow(_ turn: RunningSession.Turn, _ one: RunningSession) async throws(LibraryError) {
        let id = turn.turn.play.rawValue
        let author = one.play(id)?.author
        let isChosen = author.map(one.hasChosen) ?? false
        let may = isChosen ? try await store.mayHear(id, one.row.account) : false
        guard one.turn?.number == turn.number else { return }
        if may {
            one.turn?.isAsked = true
            one.turn?.isAllowed = true
            return
        }
        if !turn.turn.isReplay { try await mark(id, .skipped, why: isChosen ? "withheld" : "left", one) }
        guard one.turn?.number == turn.number else { return }
        one.turn = nil
        take(.refused(turn.turn), one)
    }

    private func finish(_ one: RunningSession) async throws(LibraryError) {
        try await store.end(one.row.number)
        guard one.row.ended == nil else { return }
        one.row.ended = times.date()
        one.turn = nil
        for index in one.plays.indices where one.plays[index].state == .queued || one.plays[index].state == .playing {
            one.plays[index].state = .skipped
            one.plays[index].why = "ended"
        }
        leave(one)
        await tellSession(one)
        one.owesSession = false
        for ear in one.ears.values { ear.end() }
        one.ears = [:]
    }

    /// Writes down what became of a play, and then tells it.
    func mark(
        _ id: Int64, _ state: ListeningPlay.State, seconds: Double = 0, why: String = "", _ one: RunningSession
    ) async throws(LibraryError) {
        try await store.mark(id, state, seconds: seconds, why: why)
        guard let index = one.index(of: id) else { return }
        one.plays[index].state = state
        one.plays[index].seconds = seconds
        one.plays[index].why = why
        tell(one.plays[index], one)
    }

    /// Lets the desk look again when the session has something to do by itself.
    private func arm(_ one: RunningSession) {
        let now = times.uptime()
        var at = now + Self.look
        if let deadline = one.machine.deadline(now: now, date: times.date()) { at = min(at, deadline) }
        if let again = one.again { at = min(at, again) }
        one.wakesAt = at
        guard alarm.map({ at < $0.at }) ?? true else { return }
        setAlarm(at)
    }

    private func setAlarm(_ at: Duration) {
        alarm?.task.cancel()
        let wait = max(at - times.uptime(), .zero)
        alarm = (
            at,
            Task { [times] in
                do { try await times.sleep(wait) } catch { return }
                await self.tick()
            }
        )
    }

    /// Time has passed.
    package func tick() async {
        alarm = nil
        let now = times.uptime()
        for one in Array(sessions.values) where one.wakesAt <= now || one.isEnding {
            endWhenLeft(one, now)
            take(.tick, one)
            await settle(one)
        }
        // What is due was looked at, and has told when it is due again.
        if alarm == nil, let next = sessions.values.map(\.wakesAt).min() { setAlarm(next) }
    }

    /// A session whose time is over waits an hour for somebody who hears the rest.
    private func endWhenLeft(_ one: RunningSession, _ now: Duration) {
        guard case .over = one.machine.window.phase(at: times.date()) else {
            one.overSince = nil
            return
        }
        let since = one.overSince ?? now
        one.overSince = since
        if now - max(since, one.lastSign) >= Self.patience { take(.request(.stop), one) }
    }
}
