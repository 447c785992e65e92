/// Where a page of items ended: the sort key and the sequence of its last one, as text that the next page is asked for with.
enum ItemCursor: Equatable {
    case newest(before: Int64)
    /// In ms.
    case marked(at: Int64, item: Int64)
    /// - rank: how many came before and with it.
    case nearest(metres: Double, item: Int64, rank: Int)
    /// - turn: in which the list is sorted by what ranks were then.
    case popular(turn: Int64, rank: Double, item: Int64)

    var text: String {
        switch self {
        case .newest(let item): "n\(item)"
        case .marked(let instant, let item): "m\(instant)-\(item)"
        case .nearest(let metres, let item, let rank): "d\(metres.bitPattern)-\(item)-\(rank)"
        case .popular(let turn, let rank, let item): "p\(turn)-\(rank.bitPattern)-\(item)"
        }
    }

    /// Nil for what is none: then the list begins anew.
    init?(_ text: String?) {
        guard let text, text.utf8.count <= 64, let kind = text.first else { return nil }
        let parts = text.dropFirst().split(separator: "-", omittingEmptySubsequences: false)
        switch (kind, parts.count) {
        case ("n", 1):
            guard let item = PageCursor(parts[0])?.row else { return nil }
            self = .newest(before: item)
        case ("m", 2):
            guard let instant = PageCursor(parts[0])?.row, let item = PageCursor(parts[1])?.row else { return nil }
            self = .marked(at: instant, item: item)
        case ("d", 3):
            guard let metres = parts[0].fractionOfBits, let item = PageCursor(parts[1])?.row,
                let rank = PageCursor(parts[2])?.row, metres >= 0
            else { return nil }
            self = .nearest(metres: metres, item: item, rank: Int(rank))
        case ("p", 3):
            guard let turn = PageCursor(parts[0])?.row, let rank = parts[1].fractionOfBits,
                let item = PageCursor(parts[2])?.row
            else { return nil }
            self = .popular(turn: turn, rank: rank, item: item)
        default: return nil
        }
    }
}
