internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpWeb

/// What somebody looks for in the shop, as it stands in an address: `kind, q, from, to, key, price, tag, sort, after`. What makes no sense is as
/// if it were not there.
struct ShopSearch {
    enum Order: String, CaseIterable {
        case new
        /// By likes (``Ranking``).
        case liked
    }

    var kind: Track.Kind?
    var words = ""
    /// Beats a minute, of ``TrackWords/tempos``.
    var from: Int?
    var to: Int?
    var key: Tonality?
    var price: TrackPrice.Band?
    /// All of which it has.
    var tags: [String] = []
    var order = Order.new
    var after: String?

    static let perPage = 24
    private static let mostTags = 5

    init() {}

    init(_ asked: RequestFields) {
        kind = asked["kind"].flatMap(Track.Kind.init)
        words = PlainText(asked["q"] ?? "", limit: 200).value
        (from, to) = (Self.tempo(asked["from"]), Self.tempo(asked["to"]))
        // Whoever mixes the two up means the range between them.
        if let low = from, let high = to, low > high { (from, to) = (high, low) }
        key = asked["key"]?.integer(in: 0...100).flatMap(Tonality.init(number:))
        price = asked["price"].flatMap(TrackPrice.Band.init)
        var seen: Set<String> = []
        tags = asked.list("tag").flatMap { $0.prefix(1000).split(separator: ",") }.map {
            PlainText(String($0), limit: ItemDraft.mostTag).value
        }.filter { !$0.isEmpty && seen.insert($0.lowercased()).inserted }.prefix(Self.mostTags).map { $0 }
        order = asked["sort"].flatMap(Order.init) ?? .new
        after = asked["after"].flatMap { $0.isEmpty || $0.utf8.count > 200 ? nil : $0 }
    }

    private static func tempo(_ text: String?) -> Int? {
        guard let beats = text?.integer(in: 1 ... .max) else { return nil }
        return min(max(beats, TrackWords.tempos.lowerBound), TrackWords.tempos.upperBound)
    }

    /// The same as a question.
    var query: ItemQuery {
        var query = ItemQuery(board: Beats.board)
        narrow(&query)
        query.words = words
        query.order = order == .liked ? .popular : .newest
        query.after = after
        query.limit = Self.perPage
        return query
    }

    /// Adds what is asked for beside words and order.
    func narrow(_ query: inout ItemQuery) {
        query.kinds = kind.map { [$0.rawValue] } ?? []
        query.tokens = tags.map(TrackWords.word(tag:))
        if let price { query.tokens.append(TrackWords.word(price)) }
        if let key { query.tokens.append(TrackWords.word(key)) }
        if from != nil || to != nil {
            let tempos = TrackWords.tempos
            query.choices = [TrackWords.words(from: from ?? tempos.lowerBound, to: to ?? tempos.upperBound)]
        }
    }

    /// Nothing was asked for but a kind.
    var isFront: Bool { fields.allSatisfy { $0.name == "kind" } && after == nil }

    /// The same as it stands in an address, without where a page begins.
    var fields: [(name: String, value: String)] {
        var fields: [(name: String, value: String)] = []
        if let kind { fields.append(("kind", kind.rawValue)) }
        if !words.isEmpty { fields.append(("q", words)) }
        if let from { fields.append(("from", "\(from)")) }
        if let to { fields.append(("to", "\(to)")) }
        if let key { fields.append(("key", "\(key.number)")) }
        if let price { fields.append(("price", price.rawValue)) }
        fields += tags.map { ("tag", $0) }
        if order != .new { fields.append(("sort", order.rawValue)) }
        return fields
    }
}
