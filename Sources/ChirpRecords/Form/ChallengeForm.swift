internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpMap
internal import ChirpPlaces
internal import ChirpWeb
internal import FoundationEssentials

/// What somebody has typed to set a challenge or to change one: kept as it is until it is right. Programs send the same names.
struct ChallengeForm {
    private(set) var values: [ChallengeField: String] = [:]
    var needs: Set<RuleTerms.Evidence> = []
    var pictures: [HubID] = []
    var clip: HubID?
    /// One among several places of that name.
    var placeID: Int64?
    /// Minutes that the writer's clock is ahead of UTC.
    var offset = 0
    var language: String?
    /// The same for each try.
    var key = HubID().text
    /// Of the item, or of the rule, that was changed.
    var version: Int?
    /// What it began with, and what is in the place of what was left out.
    var template: RuleTemplate?
    /// The map on which a place is chosen.
    private(set) var picker = PinPicker(window: BoardMap.world, point: nil)
    /// It was sent to move the map only, and is to be shown again.
    private(set) var isMapChange = false

    subscript(_ field: ChallengeField) -> String {
        get { values[field] ?? "" }
        set { values[field] = newValue }
    }

    private static let usualPrecision = PositionPrecision.near.rawValue

    /// A new one, by what is measured.
    init(_ template: RuleTemplate) {
        self.template = template
        self[.precision] = Self.usualPrecision
        put(template.terms)
    }

    /// What was sent.
    ///
    /// - Parameters:
    ///   - one: the first value of a name; empty where there is none.
    ///   - list: all of them.
    ///   - base: what is in the place of what programs leave out; nil: what the template says that they name.
    init(one: (String) -> String, list: (String) -> [String], base: RuleTerms? = nil) {
        template = RuleTemplate(rawValue: one("template"))
        // A form sends all of its fields, and those that were emptied are meant so; a box without its tick sends nothing.
        let isForm = !one("needs-sent").isEmpty
        let usual = isForm ? nil : base ?? template?.terms
        if let usual { put(usual) }
        for field in ChallengeField.allCases where !one(field.rawValue).isEmpty { self[field] = one(field.rawValue) }
        if usual == nil || !list("needs").isEmpty {
            needs = Set(list("needs").compactMap(RuleTerms.Evidence.init))
        }
        let without = Set(list("without"))
        var seen: Set<HubID> = []
        pictures = list("pictures").filter { !without.contains($0) }.compactMap { HubID($0) }.filter {
            seen.insert($0).inserted
        }
        clip = without.contains(one("clip")) ? nil : HubID(one("clip"))
        placeID = one("placeId").safeInteger
        offset = TypedTime.offset(one("offset")) ?? 0
        let code = one("language").lowercased()
        language =
            (2...8).contains(code.utf8.count) && code.utf8.allSatisfy { (0x61...0x7A).contains($0) || $0 == 0x2D }
            ? code : nil
        let sent = one("key")
        if !sent.isEmpty { key = String(sent.prefix(64)) }
        version = one("version").integer(in: 0 ... .max)
        isMapChange = PinPicker.isChange(one)
        // Programs send the place itself.
        if one("pin-at").isEmpty {
            picker = Self.picker(at: TypedPlace.point(self[.at]))
        } else {
            picker = PinPicker(reading: one, start: BoardMap.world)
            self[.at] = picker.point.map(MapWindow.text) ?? ""
        }
        if self[.precision].isEmpty { self[.precision] = Self.usualPrecision }
    }

    /// What a challenge is now, for who may change it.
    init(_ challenge: Challenge) {
        let item = challenge.item
        put(challenge.rule.terms)
        self[.title] = item.title
        self[.text] = item.text
        self[.category] = item.category
        self[.place] = item.place?.name ?? ""
        self[.at] = item.place?.precision == .town ? "" : TypedPlace.text(item.place?.exact)
        self[.precision] = (item.place?.precision ?? .near).rawValue
        (pictures, clip, language, version) = (item.pictures, item.clip?.id, item.language, item.version)
        let pin = TypedPlace.point(self[.at])
        picker = Self.picker(at: pin ?? item.place?.shown, pin: pin)
    }

    private static func picker(at middle: GeoPoint?, pin: GeoPoint? = nil) -> PinPicker {
        PinPicker(window: middle.map { MapWindow(around: $0, radius: 1500) } ?? BoardMap.world, point: pin)
    }

    /// Shows the map where the named place is, for who has not moved it.
    mutating func look(at place: GeoPoint?) {
        guard let place, picker.point == nil, picker.window.zoom == BoardMap.world.zoom else { return }
        picker = PinPicker(window: MapWindow(around: place, radius: 4000), point: nil)
    }

    private mutating func put(_ terms: RuleTerms) {
        self[.measure] = terms.measure.rawValue
        self[.unit] = terms.unit.rawValue
        self[.better] = terms.better.rawValue
        self[.decimals] = "\(terms.decimals)"
        self[.step] = terms.text(terms.step)
        self[.low] = terms.text(terms.low)
        self[.high] = terms.text(terms.high)
        self[.invalid] = terms.invalid
        self[.where] = terms.place.rawValue
        self[.begins] = TypedTime.field(terms.event?.begins)
        self[.ends] = TypedTime.field(terms.event?.ends)
        self[.grace] = "\(terms.event?.grace ?? 0)"
        needs = terms.needs
    }
}

extension ChallengeForm {
    /// What was typed comes to.
    struct Reading {
        /// Nil when something of it is wrong.
        var draft: ChallengeDraft?
        var terms: RuleTerms?
        var faults: [ChallengeField: ChallengeFault] = [:]
        /// Other places that may have been meant.
        var others: [NamedPlace] = []
        /// Where the named place is.
        var town: GeoPoint?
    }

    /// All of it.
    func read(at now: Date, in gazetteer: Gazetteer?) async throws -> Reading {
        var reading = Reading()
        let terms = terms(at: now, &reading.faults)
        let draft = try await draft(terms?.place ?? .anywhere, in: gazetteer, &reading)
        (reading.terms, reading.draft) = reading.faults.isEmpty ? (terms, draft) : (nil, nil)
        return reading
    }

    /// What is beside the rule, for one whose rule stays.
    func readDraft(_ place: RuleTerms.PlaceRule, in gazetteer: Gazetteer?) async throws -> Reading {
        var reading = Reading()
        let draft = try await draft(place, in: gazetteer, &reading)
        if reading.faults.isEmpty { reading.draft = draft }
        return reading
    }

    /// The rule alone.
    func readTerms(at now: Date) -> Reading {
        var reading = Reading()
        let terms = terms(at: now, &reading.faults)
        if reading.faults.isEmpty { reading.terms = terms }
        return reading
    }

    private func draft(
        _ place: RuleTerms.PlaceRule, in gazetteer: Gazetteer?, _ reading: inout Reading
    ) async throws -> ChallengeDraft {
        let category = choice(.category, Challenge.Category.init, &reading.faults)
        let precision = choice(.precision, PositionPrecision.init, &reading.faults)
        let typed = TypedPlace(
            name: PlainText(self[.place], limit: ChallengeDraft.longestPlace + 1).value, id: placeID,
            at: PlainText(self[.at], limit: 100).value)
        let found = try await typed.found(in: gazetteer)
        (reading.others, reading.town) = (found.others, found.town)
        switch found.fault {
        case .noPlace: reading.faults[.place] = .noPlace
        case .noPoint: reading.faults[.at] = .noPoint
        case nil: break
        }
        var draft = ChallengeDraft(category: category ?? .other, title: PlainText(self[.title]).value)
        draft.text = PlainText.lines(self[.text], limit: ChallengeDraft.longestText + 1)
        draft.language = language
        draft.point = found.point
        // Where it has to be done at a place, that place is known to everybody; who names a town and sets no pin has said no more than
        // the town.
        draft.precision = place == .here && found.isPin ? .exact : found.isPin ? precision ?? .near : .town
        draft.placeName = found.name
        draft.town = found.town
        draft.clip = clip
        draft.pictures = pictures
        reading.faults.merge(draft.faults(place)) { first, _ in first }
        // One sentence about a place is enough.
        if reading.faults[.at] != nil { reading.faults[.place] = nil }
        return draft
    }

    private func terms(at now: Date, _ faults: inout [ChallengeField: ChallengeFault]) -> RuleTerms? {
        let measure = choice(.measure, Measure.init, &faults)
        let unit = choice(.unit, ScoreUnit.init, &faults)
        let better = choice(.better, RuleTerms.Better.init, &faults)
        let place = choice(.where, RuleTerms.PlaceRule.init, &faults)
        let decimals = self[.decimals].integer(in: .min ... .max)
        if decimals == nil { faults[.decimals] = self[.decimals].isEmpty ? .missing : .noNumber }
        guard let measure, let unit, let better, let decimals, let place else { return nil }
        var terms = RuleTerms(measure: measure, unit: unit, better: better, decimals: decimals, low: 0, high: 0)
        guard unit.measure == measure, (0...measure.mostDecimals).contains(decimals) else {
            faults.merge(terms.faults(at: now).filter { $0.key == .unit || $0.key == .decimals }) { first, _ in first }
            return nil
        }
        let numbers = (bound(.low, terms, &faults), bound(.high, terms, &faults), bound(.step, terms, &faults))
        guard let low = numbers.0, let high = numbers.1, let step = numbers.2 else { return nil }
        (terms.low, terms.high, terms.step) = (low, high, step)
        terms.needs = needs
        terms.invalid = PlainText.lines(self[.invalid], limit: RuleTerms.longestInvalid + 1)
        terms.place = place
        terms.event = event(&faults)
        faults.merge(terms.faults(at: now)) { first, _ in first }
        return terms
    }

    private func event(_ faults: inout [ChallengeField: ChallengeFault]) -> RuleTerms.Event? {
        guard !self[.begins].isEmpty || !self[.ends].isEmpty else { return nil }
        let (begins, ends) = (time(.begins, &faults), time(.ends, &faults))
        guard let begins, let ends else { return nil }
        let grace = self[.grace].isEmpty ? 0 : self[.grace].integer(in: .min ... .max)
        if grace == nil { faults[.grace] = .noNumber }
        return RuleTerms.Event(begins: begins, ends: ends, grace: grace ?? 0)
    }

    private func time(_ field: ChallengeField, _ faults: inout [ChallengeField: ChallengeFault]) -> Date? {
        let text = PlainText(self[field], limit: 40).value
        guard !text.isEmpty else {
            faults[field] = .missing
            return nil
        }
        if let date = TypedTime.date(text, offset: offset) { return date }
        faults[field] = .noTime
        return nil
    }

    private func bound(
        _ field: ChallengeField, _ terms: RuleTerms, _ faults: inout [ChallengeField: ChallengeFault]
    ) -> Int64? {
        do throws(ScoreFault) { return try terms.bound(typed: PlainText(self[field], limit: 60).value) } catch {
            faults[field] =
                switch error {
                case .missing: .missing
                case .below(let low), .above(let low): .outside(min(low, -low), max(low, -low))
                case .notUnderstood, .otherUnit, .tooExact, .offStep: .noNumber
                }
            return nil
        }
    }

    private func choice<T>(
        _ field: ChallengeField, _ make: (String) -> T?, _ faults: inout [ChallengeField: ChallengeFault]
    ) -> T? {
        if let value = make(self[field]) { return value }
        faults[field] = self[field].isEmpty ? .missing : .unknown
        return nil
    }
}
