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
            guard let item = Int64(parts[0]), item >= 0 else { return nil }
            self = .newest(before: item)
        case ("m", 2):
            guard let instant = Int64(parts[0]), let item = Int64(parts[1]), item >= 0 else { return nil }
            self = .marked(at: instant, item: item)
        case ("d", 3):
            guard let bits = UInt64(parts[0]), let item = Int64(parts[1]), let rank = Int(parts[2]), item >= 0,
                rank >= 0, Double(bitPattern: bits).isFinite, Double(bitPattern: bits) >= 0
            else { return nil }
            self = .nearest(metres: Double(bitPattern: bits), item: item, rank: rank)
        case ("p", 3):
            guard let turn = Int64(parts[0]), let bits = UInt64(parts[1]), let item = Int64(parts[2]), turn >= 0,
                item >= 0, Double(bitPattern: bits).isFinite
            else { return nil }
            self = .popular(turn: turn, rank: Double(bitPattern: bits), item: item)
        default: return nil
        }
    }
}
