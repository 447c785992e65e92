internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpWeb
internal import FoundationEssentials

/// What somebody has typed to offer a track or to change one: kept as it is until it is right. Programs send the same names.
struct TrackForm {
    private(set) var values: [TrackField: String] = [:]
    var master: HubID?
    var cover: HubID?
    /// One of her own tracks.
    var versionOf: HubID?
    var language: String?
    /// Minutes that the writer's clock is ahead of UTC.
    var offset = 0
    var appears = true
    /// The same for each try.
    var key = HubID().text
    /// Of the item that was changed.
    var version: Int?

    subscript(_ field: TrackField) -> String {
        get { values[field] ?? "" }
        set { values[field] = newValue }
    }

    /// A new one.
    init(_ kind: Track.Kind?) {
        self[.kind] = kind?.rawValue ?? ""
        self[.price] = TrackPrice.Kind.amount.rawValue
        self[.currency] = TrackPrice.Currency.eur.rawValue
    }

    /// What was sent.
    ///
    /// - Parameters:
    ///   - one: the first value of a name; empty where there is none.
    ///   - list: all of them.
    init(one: (String) -> String, list: (String) -> [String]) {
        for field in TrackField.allCases where !one(field.rawValue).isEmpty { self[field] = one(field.rawValue) }
        // Programs may send tags as a list, people type them with commas.
        let tags = list(TrackField.tags.rawValue)
        if tags.count > 1 { self[.tags] = tags.joined(separator: ",") }
        if self[.price].isEmpty {
            self[.price] = (self[.amount].isEmpty ? TrackPrice.Kind.offer : .amount).rawValue
        }
        if self[.currency].isEmpty { self[.currency] = TrackPrice.Currency.eur.rawValue }
        master = HubID(one("master"))
        cover = one("without") == one("picture") ? nil : HubID(one("picture"))
        versionOf = HubID(one(TrackField.versionOf.rawValue))
        offset = TypedTime.offset(one("offset")) ?? 0
        let code = one("language").lowercased()
        language =
            (2...8).contains(code.utf8.count) && code.utf8.allSatisfy { (0x61...0x7A).contains($0) || $0 == 0x2D }
            ? code : nil
        appears = one("draft").isEmpty || one("draft") == "false"
        let sent = one("key")
        if !sent.isEmpty { key = String(sent.prefix(64)) }
        version = one("version").integer(in: 0 ... .max)
    }

    /// What a track is now, for its author.
    init(_ track: Track) {
        let draft = TrackDraft(track)
        self[.kind] = draft.kind.rawValue
        self[.title] = draft.title
        self[.text] = draft.text
        self[.tags] = draft.tags.joined(separator: ", ")
        self[.price] = draft.price.kind.rawValue
        self[.currency] = TrackPrice.Currency.eur.rawValue
        if case .amount(let amount, let currency) = draft.price {
            self[.amount] = TrackPrice.text(amount, currency)
            self[.currency] = currency.rawValue
        }
        self[.until] = draft.until.map { String(TypedTime.field($0).prefix(10)) } ?? ""
        self[.versionName] = draft.versionName
        (cover, language, appears, version) = (draft.cover, draft.language, draft.appears, track.item.version)
        master = track.master
    }

    /// What was typed comes to.
    struct Reading {
        /// Nil when something is wrong.
        var draft: TrackDraft?
        var faults: [TrackField: TrackFault] = [:]
    }

    func read(at now: Date) -> Reading {
        var reading = Reading()
        let kind = choice(.kind, Track.Kind.init, &reading.faults)
        var draft = TrackDraft(kind: kind ?? .beat, title: PlainText(self[.title], limit: 1000).value)
        draft.text = PlainText.lines(self[.text], limit: TrackDraft.longestText + 1)
        draft.language = language
        draft.tags = tags
        draft.price = price(&reading.faults) ?? .offer
        (draft.master, draft.cover, draft.versionOf) = (master, cover, versionOf)
        if versionOf == nil, !self[.versionOf].isEmpty { reading.faults[.versionOf] = .unknown }
        draft.versionName = PlainText(self[.versionName], limit: TrackDraft.longestVersionName + 1).value
        draft.appears = appears
        draft.until = until(&reading.faults)
        reading.faults.merge(draft.faults(at: now)) { first, _ in first }
        if reading.faults.isEmpty { reading.draft = draft }
        return reading
    }

    /// Once each, however they are written.
    private var tags: [String] {
        var seen: Set<String> = []
        return self[.tags].prefix(2000).split { $0 == "," || $0.isNewline }.map {
            var tag = PlainText(String($0), limit: ItemDraft.mostTag + 1).value
            while tag.hasPrefix("#") { tag.removeFirst() }
            return tag
        }.filter { !$0.isEmpty && seen.insert($0.lowercased()).inserted }
    }

    private func price(_ faults: inout [TrackField: TrackFault]) -> TrackPrice? {
        switch choice(.price, TrackPrice.Kind.init, &faults) {
        case .free: return .free
        case .offer: return .offer
        case .amount:
            guard let currency = choice(.currency, TrackPrice.Currency.init, &faults) else { return nil }
            let typed = PlainText(self[.amount], limit: 40).value
            guard !typed.isEmpty else {
                faults[.amount] = .missing
                return nil
            }
            guard let amount = TrackPrice.amount(typed: typed, currency) else {
                faults[.amount] = .noAmount
                return nil
            }
            return .amount(amount, currency)
        case nil: return nil
        }
    }

    /// To the end of the day where only that was named.
    private func until(_ faults: inout [TrackField: TrackFault]) -> Date? {
        let text = PlainText(self[.until], limit: 40).value
        guard !text.isEmpty else { return nil }
        guard let date = TypedTime.date(text, offset: offset) else {
            faults[.until] = .noTime
            return nil
        }
        return text.utf8.count == 10 ? date.addingTimeInterval(24 * 3600 - 1) : date
    }

    private func choice<T>(
        _ field: TrackField, _ make: (String) -> T?, _ faults: inout [TrackField: TrackFault]
    ) -> T? {
        if let value = make(self[field]) { return value }
        faults[field] = self[field].isEmpty ? .missing : .unknown
        return nil
    }
}
