/// Which clip to fetch and which to play next, so that clips are heard in the order they arrived (CH-10, W-6).
///
/// A state machine without a clock, a network or sound: it is told what happened and when, and says what to do. Fetches
/// start in order of arrival, `width` at a time. When nothing plays and the first clip is still on its way, it may hold the
/// queue for `patience`, counted from when the silence began or its fetch started, whichever is later; then it steps aside,
/// gives its place in the width to others, and plays as soon as it is there and nothing else plays.
///
/// So: a clip that is ready never waits in silence for longer than the patience, and of clips that did not step aside none
/// is heard before one that arrived earlier.
public struct OrderedPrefetch<ID: Hashable & Sendable>: Sendable {
    public struct Rules: Hashable, Sendable {
        /// Fetches at the same time, those that stepped aside not counted.
        public var width = 3
        /// Clips fetched or being fetched ahead of the one that plays; bounds disk and memory.
        public var ahead = 50
        public var patience: Duration = .seconds(10)
        /// Clips that may be aside at once; the oldest beyond that is given up.
        public var maximumAside = 8
        /// Clips that may wait in all; more are refused.
        public var capacity = 10_000

        public init() {}
    }

    public enum Step: Hashable, Sendable {
        case fetch(ID)
        case play(ID)
        /// Stop fetching it: too many slow ones.
        case giveUp(ID)
    }

    private enum Phase: Hashable, Sendable {
        case waiting
        case fetching(since: Duration)
        case ready
        case aside
        case readyAside
    }

    private struct Entry: Sendable {
        let id: ID
        var phase: Phase
    }

    public let rules: Rules
    /// Those that are fetched alone: while one of them is fetched no other fetch begins, until it steps aside.
    private let suspects: Set<ID>
    /// In order of arrival; gone when played, failed or given up.
    private var entries: [Entry] = []
    private var playing: ID?
    /// Since when nothing plays; nil while something does.
    private var silentSince: Duration?

    /// - Parameters:
    ///   - now: the time since any fixed instant, as everywhere here.
    ///   - suspects: to be fetched alone, each of them.
    public init(rules: Rules = Rules(), now: Duration = .zero, suspects: Set<ID> = []) {
        precondition(rules.width > 0 && rules.maximumAside >= 0 && rules.ahead > rules.width + rules.maximumAside)
        self.rules = rules
        self.suspects = suspects
        silentSince = now
    }

    /// Clips that wait, are fetched or are ready; the one that plays is not among them.
    public var count: Int { entries.count }
    public var isEmpty: Bool { entries.isEmpty && playing == nil }
    /// The clips to come, in order of arrival.
    public var queue: [ID] { entries.map(\.id) }

    /// A clip has been detected.
    ///
    /// - Returns: false when there are too many already, or it is here already; it is not taken then.
    public mutating func arrived(_ id: ID) -> Bool {
        guard entries.count < rules.capacity, playing != id, !entries.contains(where: { $0.id == id }) else {
            return false
        }
        entries.append(Entry(id: id, phase: .waiting))
        return true
    }

    /// Its file is there and can be played.
    public mutating func fetched(_ id: ID) {
        guard let index = index(of: id) else { return }
        switch entries[index].phase {
        case .waiting, .fetching: entries[index].phase = .ready
        case .aside: entries[index].phase = .readyAside
        case .ready, .readyAside: break
        }
    }

    /// It cannot be fetched, or shall not be played.
    public mutating func dropped(_ id: ID) {
        if let index = index(of: id) { entries.remove(at: index) }
    }

    /// The clip that was told to play has ended.
    public mutating func played(_ id: ID, at now: Duration) {
        guard playing == id else { return }
        playing = nil
        silentSince = now
    }

    /// Everything to do now. Each step is given once and taken as begun.
    public mutating func steps(at now: Duration) -> [Step] {
        var steps: [Step] = []
        startFetches(at: now, into: &steps)
        while playing == nil, let silentSince {
            if let index = entries.firstIndex(where: { $0.phase == .readyAside }) {
                play(index, into: &steps)
                break
            }
            guard let head = entries.firstIndex(where: { $0.phase != .aside }) else { break }
            switch entries[head].phase {
            case .ready: play(head, into: &steps)
            case .fetching(let since) where now - max(since, silentSince) >= rules.patience:
                entries[head].phase = .aside
                giveUpOldest(into: &steps)
                startFetches(at: now, into: &steps)
                continue
            case .fetching, .waiting, .aside, .readyAside: break
            }
            break
        }
        startFetches(at: now, into: &steps)
        return steps
    }

    /// When ``steps(at:)`` has more to say even if nothing happens before; nil when it has not.
    public var nextDeadline: Duration? {
        guard playing == nil, let silentSince, !entries.contains(where: { $0.phase == .readyAside }),
            let head = entries.first(where: { $0.phase != .aside }), case .fetching(let since) = head.phase
        else { return nil }
        return max(since, silentSince) + rules.patience
    }

    private mutating func startFetches(at now: Duration, into steps: inout [Step]) {
        var busy = 0
        var held = 0
        for entry in entries {
            switch entry.phase {
            case .fetching:
                if suspects.contains(entry.id) { return }
                busy += 1
                held += 1
            case .ready, .aside, .readyAside: held += 1
            case .waiting: break
            }
        }
        for index in entries.indices where entries[index].phase == .waiting {
            guard busy < rules.width, held < rules.ahead else { return }
            let isSuspect = suspects.contains(entries[index].id)
            if isSuspect, busy > 0 { return }
            entries[index].phase = .fetching(since: now)
            steps.append(.fetch(entries[index].id))
            busy += 1
            held += 1
            if isSuspect { return }
        }
    }

    private mutating func giveUpOldest(into steps: inout [Step]) {
        guard entries.count(where: { $0.phase == .aside }) > rules.maximumAside,
            let oldest = entries.firstIndex(where: { $0.phase == .aside })
        else { return }
        steps.append(.giveUp(entries[oldest].id))
        entries.remove(at: oldest)
    }

    private mutating func play(_ index: Int, into steps: inout [Step]) {
        let id = entries.remove(at: index).id
        playing = id
        silentSince = nil
        steps.append(.play(id))
    }

    private func index(of id: ID) -> Int? { entries.firstIndex { $0.id == id } }
}
