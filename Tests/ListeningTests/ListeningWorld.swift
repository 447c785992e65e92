import ChirpAccounts
import ChirpCommunity
import ChirpFlows
import ChirpListening
import Foundation
import HubHousehold
import Hummingbird
import NIOCore
import Synchronization
import Testing

/// A library with people in it, a desk over it, and clocks that tests move. Nothing happens by itself: tests say when the desk looks,
/// and when time has passed.
final class ListeningWorld: Sendable {
    let house: HubHousehold
    let store: ListeningStore
    let uptime = Uptime()
    private let posts = Mutex(0)

    init() throws {
        house = try HubHousehold()
        store = ListeningStore(house.library)
    }

    var library: HubLibrary { house.library }

    /// A desk as a process that has just begun has it.
    ///
    /// - Parameters:
    ///   - store: by which rows know it; nil: one of its own, as each process has.
    ///   - isShared: it is one of several that serve the library.
    func desk(_ store: ListeningStore? = nil, isShared: Bool = false) -> ListeningDesk {
        ListeningDesk(
            store ?? ListeningStore(library), isShared: isShared,
            times: ListeningDesk.Times(
                date: library.now, uptime: { [uptime] in uptime.now },
                // It never wakes by itself.
                sleep: { _ in throw CancellationError() }),
            watch: { _ in {} })
    }

    /// Both clocks go on.
    func pass(_ seconds: Double, _ desk: ListeningDesk) async {
        house.wait(seconds)
        uptime.advance(seconds)
        await desk.tick()
    }

    /// A listener who follows some people, who are made too.
    func listener(_ name: String, following names: [String]) async throws -> AccountID {
        let account = try await house.person(name)
        for name in names {
            let id = AccountID(rawValue: "id-\(name)")
            if try await library.seen(by: .visitor).person(named: name) == nil { try await house.person(name) }
            try await library.follow(id, by: account)
        }
        return account
    }

    func id(_ name: String) -> AccountID { AccountID(rawValue: "id-\(name)") }

    /// Somebody posts a clip.
    @discardableResult
    func post(
        _ name: String, _ text: String = "Listen", _ visibility: HubPost.Visibility = .published,
        expires: Date? = nil
    ) async throws -> HubPost {
        let number = posts.withLock { number in
            number += 1
            return number
        }
        var clip = HubClip(
            id: HubID(), title: text, fileName: "take.mp3", contentType: "audio/mpeg", bytes: 10, sha256: "00",
            sound: HubSound(seconds: 12, peaks: [1, 2, 255]), created: library.now(), expires: expires, shared: true)
        clip.owner = id(name)
        _ = try await library.insert(clip)
        var draft = PostDraft(author: id(name), text: text, key: "\(number)")
        draft.clip = clip.id
        draft.visibility = visibility
        return try await library.post(draft)
    }

    /// Begins to listen to people for so many seconds.
    func begin(_ listener: AccountID, to names: [String], seconds: Double = 3600, _ desk: ListeningDesk) async throws {
        let window = ListeningWindow(
            begins: library.now(), ends: library.now().addingTimeInterval(seconds), followsClock: false)
        let beginning = try await desk.begin(listener, chosen: names.map(id), window: window)
        guard case .begun = beginning else { throw CancellationError() }
    }

    /// A session as a program reads it.
    func session(of listener: AccountID, _ desk: ListeningDesk) async throws -> [String: Any]? {
        guard let bytes = try await desk.document(of: listener) else { return nil }
        return try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
    }

    /// The states of its plays, in order of arrival.
    func states(of listener: AccountID, _ desk: ListeningDesk) async throws -> [String] {
        let plays = try await session(of: listener, desk)?["plays"] as? [[String: Any]] ?? []
        return plays.compactMap { $0["state"] as? String }
    }
}

/// A clock that goes on when it is told to.
final class Uptime: Sendable {
    private let value = Mutex(Duration.seconds(1000))
    var now: Duration { value.withLock { $0 } }
    func advance(_ seconds: Double) { value.withLock { $0 += .seconds(seconds) } }
}

/// A browser, as far as it hears.
final class Browser: Sendable {
    private struct Heard {
        var events: [(name: String, data: String)] = []
        var isOver = false
    }

    private let heard = Mutex(Heard())

    var ear: LiveEar {
        LiveEar(
            push: { [self] pieces in
                let text = pieces.map { String(buffer: $0) }.joined()
                let lines = text.split(separator: "\n").map(String.init)
                func value(_ name: String) -> String {
                    lines.first { $0.hasPrefix("\(name): ") }.map { String($0.dropFirst(name.count + 2)) } ?? ""
                }
                // One block of lines, with a blank one behind it.
                let isWhole = text.hasSuffix("\n\n") && lines.count == 3
                heard.withLock { $0.events.append((isWhole ? value("event") : "broken", value("data"))) }
            }, end: { [self] in heard.withLock { $0.isOver = true } })
    }

    var names: [String] { heard.withLock { $0.events.map(\.name) } }
    var isOver: Bool { heard.withLock { $0.isOver } }

    func events(_ name: String) -> [[String: Any]] {
        heard.withLock { $0.events }.filter { $0.name == name }.compactMap { event in
            try? JSONSerialization.jsonObject(with: Data(event.data.utf8)) as? [String: Any]
        }
    }

    /// What the loudspeaker is to do, as it was told last; nil when that is nothing.
    var turn: (number: Int64, play: Int64, position: Double)? {
        guard let last = heard.withLock({ $0.events.last { $0.name == "turn" } }),
            let turn = try? JSONSerialization.jsonObject(with: Data(last.data.utf8)) as? [String: Any],
            let number = turn["turn"] as? Int, let play = turn["play"] as? Int
        else { return nil }
        return (Int64(number), Int64(play), turn["position"] as? Double ?? -1)
    }

    /// The turns that it was told of, each once.
    var turns: [Int] {
        var seen: [Int] = []
        for turn in events("turn") {
            if let number = turn["turn"] as? Int, seen.last != number { seen.append(number) }
        }
        return seen
    }
}

extension ListeningDesk {
    /// Plays the turn that a browser was told to its end.
    func hear(_ browser: Browser, of listener: AccountID) async throws {
        let turn = try #require(browser.turn)
        try await report(.started, turn: turn.number, of: listener)
        try await report(.ended, turn: turn.number, of: listener)
    }
}
