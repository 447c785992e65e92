internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpPlaces
internal import ChirpWeb
internal import FoundationEssentials

/// What somebody has typed to hand an attempt in: kept as it is until it is right.
struct HandInForm {
    private(set) var values: [AttemptField: String] = [:]
    /// What was sent before: a clip, a film, a picture; each the author's own.
    var clip: HubID?
    var film: HubID?
    var picture: HubID?
    /// ``TryCode/id`` of what was played and said.
    var code: HubID?
    /// One among several places of that name.
    var placeID: Int64?
    /// Latitude and longitude.
    var at = ""
    /// Minutes that the writer's clock is ahead of UTC.
    var offset = 0
    /// Of the rule, as it was read.
    var version = 0
    /// The same for each try.
    var key = HubID().text

    subscript(_ field: AttemptField) -> String {
        get { values[field] ?? "" }
        set { values[field] = newValue }
    }

    /// An empty one.
    init(version: Int, code: HubID?) {
        self.version = version
        self.code = code
    }

    /// What was sent.
    ///
    /// - Parameter one: the first value of a name; empty where there is none.
    init(_ one: (String) -> String) {
        for field in [AttemptField.score, .text, .done, .place] { self[field] = one(field.rawValue) }
        clip = HubID(one("clip"))
        film = HubID(one("film"))
        picture = HubID(one("picture"))
        code = HubID(one("code"))
        placeID = one("placeId").safeInteger
        at = PlainText(one("at"), limit: 100).value
        offset = TypedTime.offset(one("offset")) ?? 0
        version = one("version").integer(in: 0 ... .max) ?? 0
        let sent = one("key")
        if !sent.isEmpty { key = String(sent.prefix(100)) }
    }

    /// What was sent with it.
    var recording: AttemptRecording { AttemptRecording(picture: picture, clip: clip, film: film) }

    /// - Returns: what was typed comes to, and what is wrong with it that no rule knows of.
    func read(
        by terms: RuleTerms, at now: Date, in gazetteer: Gazetteer?
    ) async throws -> (draft: AttemptDraft, faults: [AttemptField: String]) {
        var faults: [AttemptField: String] = [:]
        var done = now
        let typed = PlainText(self[.done], limit: 40).value
        if !typed.isEmpty {
            if let date = TypedTime.date(typed, offset: offset) {
                done = date
            } else {
                faults[.done] = word("attempt.fault.time")
            }
        }
        var draft = AttemptDraft(score: PlainText(self[.score], limit: 100).value, done: done, version: version)
        draft.text = PlainText.lines(self[.text], limit: Attempt.longestText + 1)
        draft.media = recording.kinds(for: terms.needs)
        let name = PlainText(self[.place], limit: Attempt.longestPlace + 1).value
        guard !name.isEmpty || !at.isEmpty || placeID != nil else { return (draft, faults) }
        let found = try await TypedPlace(name: name, id: placeID, at: at).found(in: gazetteer)
        switch found.fault {
        case .noPlace: faults[.place] = word("attempt.fault.place")
        case .noPoint: faults[.place] = word("attempt.fault.point")
        case nil:
            if let point = found.point {
                // Who names a town and says no more has been somewhere in it.
                draft.spot = AttemptSpot(
                    point: point, precision: found.isPin ? .near : .town, name: found.name, town: found.town)
            } else {
                faults[.place] = word("attempt.fault.place")
            }
        }
        return (draft, faults)
    }
}
