import ChirpCommands
import ChirpCore
import ChirpFlows
import ChirpJournal
import Foundation
import Synchronization

/// The terminal while live: what happens, as a board at the bottom that is drawn in place, and what keys mean.
final class LiveScreen: Sendable {
    /// What a key asks for, when it does not only change what is shown.
    enum Wish: Sendable {
        case request(LiveRequest)
        /// Show what can be heard again; the caller has the list.
        case list
    }

    private enum Mode {
        case board
        case accounts(Chooser<LiveAccount>)
        case clips(Chooser<PlayID>)
        /// Another time frame, as far as it has been typed, and what was wrong with the last.
        case window(text: String, problem: String)
    }

    private struct State {
        var board = LiveBoard()
        var mode = Mode.board
    }

    private let state = Mutex(State())
    private let screen = Screen()
    private let known: [LiveAccount]
    private let now: @Sendable () -> Duration

    /// - Parameters:
    ///   - known: the accounts to choose from.
    ///   - now: the clock of the events.
    init(known: [LiveAccount], now: @escaping @Sendable () -> Duration) {
        self.known = known
        self.now = now
    }

    var board: LiveBoard { state.withLock { $0.board } }

    func take(_ event: LiveEvent, at time: Duration) {
        state.withLock { $0.board.take(event, at: time) }
    }

    func note(_ line: String) { screen.note(line) }

    func draw() {
        let lines = state.withLock { state -> [String] in
            switch state.mode {
            case .board: state.board.lines(now: now(), date: Date()) { LocalTime.text($0) }
            case .accounts(let chooser): chooser.lines
            case .clips(let chooser): chooser.lines
            case .window(let text, let problem):
                ["Time frame (14:00-16:00) or length (2h): \(text)_   \(problem)", "Enter take  Esc back"]
            }
        }
        screen.show(lines)
    }

    func clear() { screen.clear() }

    /// Shows what can be heard again.
    func list(_ clips: [PlayRecord]) {
        let items = clips.map { clip in
            Chooser<PlayID>.Item(
                id: clip.id,
                label: "\(LocalTime.text(clip.arrived))  \(LiveBoard.name(clip))  "
                    + "\(Figures.clock(clip.seconds ?? 0))  \(PlainText(clip.words, limit: 60))")
        }
        state.withLock {
            $0.mode = .clips(
                Chooser(title: "Hear again", items: items, takesSeveral: false, rows: Following.rows))
        }
        draw()
    }

    /// What a key does; the screen is drawn again.
    func take(_ key: Key) -> Wish? {
        let wish = state.withLock { state -> Wish? in
            switch state.mode {
            case .board: return take(key, &state)
            case .accounts(var chooser):
                let outcome = chooser.take(key)
                state.mode = outcome == nil ? .accounts(chooser) : .board
                guard case .chosen(let accounts)? = outcome, !accounts.isEmpty else { return nil }
                return .request(.accounts(accounts))
            case .clips(var chooser):
                let outcome = chooser.take(key)
                state.mode = outcome == nil ? .clips(chooser) : .board
                guard case .chosen(let ids)? = outcome, let id = ids.first else { return nil }
                return .request(.replay(id))
            case .window(let text, _): return window(key, text, &state)
            }
        }
        draw()
        return wish
    }

    private func take(_ key: Key, _ state: inout State) -> Wish? {
        switch key {
        case .character(" "): return .request(.togglePause)
        case .character("s"), .right: return .request(.skip)
        case .character("r"): return .request(.replay(nil))
        case .character("l"): return .list
        case .character("+"), .character("="): return .request(.extend(.seconds(900)))
        case .character("-"): return .request(.extend(.seconds(-900)))
        case .character("w"): state.mode = .window(text: "", problem: "")
        case .character("a"):
            state.mode = .accounts(
                Chooser(
                    title: "Whom to listen to", items: Following.items(known), marked: Set(state.board.accounts),
                    takesSeveral: true, rows: Following.rows))
        case .character("q"): return .request(.stop)
        default: break
        }
        return nil
    }

    private func window(_ key: Key, _ text: String, _ state: inout State) -> Wish? {
        switch key {
        case .character(let character) where text.count < 30:
            state.mode = .window(text: text + String(character), problem: "")
        case .backspace: state.mode = .window(text: String(text.dropLast()), problem: "")
        case .escape: state.mode = .board
        case .enter:
            do throws(LiveWindow.Refusal) {
                let choice: LiveWindow.Choice
                if let length = try? LengthOfTime(text) {
                    choice = .duration(length.duration)
                } else {
                    choice = try LiveWindow.Choice(between: text)
                }
                let window = try LiveWindow(choice, now: Date(), zone: .current)
                state.mode = .board
                return .request(.window(window))
            } catch {
                state.mode = .window(text: text, problem: error.whatHappened)
            }
        default: break
        }
        return nil
    }
}
