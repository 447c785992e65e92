internal import ChirpWeb
internal import Synchronization

/// The lines that were drawn last, so that the part of the earth that many pages begin with is drawn once: the whole earth takes 13 ms, more
/// than all else in a page of a search. At most ``most`` of some 38 kB; any number of tasks may ask at once.
final class DrawnLines: Sendable {
    struct Key: Hashable {
        let frame: MapFrame
        let id: String
        let bytes: Int
    }

    static let most = 64

    /// The last one asked for is the last.
    private let kept = Mutex<[(key: Key, lines: HTML)]>([])

    /// Those that were kept, or made anew; two who ask for the same at once may both make them.
    func lines(_ key: Key, making: () -> HTML) -> HTML {
        let known = kept.withLock { kept -> HTML? in
            guard let index = kept.lastIndex(where: { $0.key == key }) else { return nil }
            kept.append(kept.remove(at: index))
            return kept.last?.lines
        }
        if let known { return known }
        let lines = making()
        kept.withLock { kept in
            guard !kept.contains(where: { $0.key == key }) else { return }
            if kept.count == Self.most { kept.removeFirst() }
            kept.append((key, lines))
        }
        return lines
    }
}
