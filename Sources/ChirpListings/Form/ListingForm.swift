internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpMap
internal import ChirpPlaces
internal import ChirpWeb
internal import FoundationEssentials

/// What somebody has typed to place a listing or to change one: kept as it is until it is right.
struct ListingForm {
    private(set) var values: [ListingField: String] = [:]
    var pictures: [HubID] = []
    var clip: HubID?
    /// One among several places of that name.
    var placeID: Int64?
    /// Minutes that the writer's clock is ahead of UTC.
    var offset = 0
    var language: String?
    /// The same for each try.
    var key = HubID().text
    /// Of the listing that was changed.
    var version: Int?
    /// The map on which a place is chosen.
    private(set) var picker = PinPicker(window: BoardMap.world, point: nil)
    /// It was sent to move the map only, and is to be shown again.
    private(set) var isMapChange = false
    /// The map as it would be, had no place been named.
    private var pressed: PinPicker?

    subscript(_ field: ListingField) -> String {
        get { values[field] ?? "" }
        set { values[field] = newValue }
    }

    /// An empty one.
    init(side: String = "", category: String = "") {
        self[.side] = side
        self[.category] = category
        self[.precision] = PositionPrecision.near.rawValue
        self[.handover] = Listing.Handover.agree.rawValue
    }

    /// What was sent.
    ///
    /// - Parameters:
    ///   - one: the first value of a name; empty where there is none.
    ///   - list: all of them.
    init(one: (String) -> String, list: (String) -> [String]) {
        for field in ListingField.allCases { self[field] = one(field.rawValue) }
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
        picker = PinPicker(reading: one, start: BoardMap.world)
        isMapChange = PinPicker.isChange(one)
        let before = PinPicker(
            reading: { $0.hasPrefix("pin-") && $0 != "pin-move" ? one($0) : "" }, start: BoardMap.world)
        // Whoever has named a place and presses a map of the whole earth wants to come there.
        if isMapChange, before.point == nil, before.window.zoom == BoardMap.world.zoom, !self[.place].isEmpty {
            (pressed, picker) = (picker, before)
        }
        // Programs send the place itself.
        if one("pin-at").isEmpty {
            picker = Self.picker(at: TypedPlace.point(self[.at]))
        } else {
            self[.at] = picker.point.map(MapWindow.text) ?? ""
        }
        if self[.precision].isEmpty { self[.precision] = PositionPrecision.near.rawValue }
        if self[.handover].isEmpty { self[.handover] = Listing.Handover.agree.rawValue }
    }

    /// What a listing is now, for its author.
    init(_ listing: Listing, phone: String) {
        let item = listing.item
        self.init(side: listing.side.rawValue, category: item.category)
        self[.title] = item.title
        self[.text] = item.text
        self[.place] = item.place?.name ?? ""
        self[.at] = item.place?.precision == .town ? "" : TypedPlace.text(item.place?.exact)
        self[.precision] = (item.place?.precision ?? .near).rawValue
        self[.from] = TypedTime.field(listing.happenedFrom)
        self[.to] = listing.happenedTo == listing.happenedFrom ? "" : TypedTime.field(listing.happenedTo)
        self[.handover] = listing.handover.rawValue
        self[.reward] = listing.reward
        self[.phone] = phone
        self[.question] = listing.question
        pictures = item.pictures
        clip = item.clip?.id
        language = item.language
        version = item.version
        let pin = TypedPlace.point(self[.at])
        picker = Self.picker(at: pin ?? item.place?.shown, pin: pin)
    }

    private static func picker(at middle: GeoPoint?, pin: GeoPoint? = nil) -> PinPicker {
        PinPicker(window: middle.map { MapWindow(around: $0, radius: 1500) } ?? BoardMap.world, point: pin)
    }

    /// Shows the map where the named place is, for who has not moved it.
    mutating func look(at place: GeoPoint?) {
        if place == nil, let pressed {
            picker = pressed
            self[.at] = picker.point.map(MapWindow.text) ?? ""
        }
        guard let place, picker.point == nil, picker.window.zoom == BoardMap.world.zoom else { return }
        picker = PinPicker(window: MapWindow(around: place, radius: 4000), point: nil)
    }

    /// What was typed comes to.
    struct Reading {
        /// Nil when something is wrong.
        var draft: ListingDraft?
        var faults: [ListingField: ListingFault] = [:]
        /// Other places that may have been meant.
        var others: [NamedPlace] = []
        /// Where the named place is.
        var town: GeoPoint?
    }

    func read(at now: Date, in gazetteer: Gazetteer?) async throws -> Reading {
        var reading = Reading()
        let side = choice(.side, Listing.Side.init, &reading.faults)
        let category = choice(.category, Listing.Category.init, &reading.faults)
        let precision = choice(.precision, PositionPrecision.init, &reading.faults)
        let handover = choice(.handover, Listing.Handover.init, &reading.faults)
        let place = TypedPlace(
            name: PlainText(self[.place], limit: ListingDraft.longestPlace + 1).value, id: placeID,
            at: PlainText(self[.at], limit: 100).value)
        let found = try await place.found(in: gazetteer)
        reading.others = found.others
        reading.town = found.town
        switch found.fault {
        case .noPlace: reading.faults[.place] = .noPlace
        case .noPoint: reading.faults[.at] = .noPoint
        case nil: break
        }
        var draft = ListingDraft(
            side: side ?? .lost, category: category ?? .other, title: PlainText(self[.title]).value)
        draft.text = PlainText.lines(self[.text], limit: ListingDraft.longestText + 1)
        draft.language = language
        draft.point = found.point
        // Who names a town and sets no pin has said no more than the town.
        draft.precision = found.isPin ? precision ?? .near : .town
        draft.placeName = found.name
        draft.town = found.town
        draft.happenedFrom = time(.from, &reading.faults)
        draft.happenedTo = time(.to, &reading.faults) ?? draft.happenedFrom
        draft.handover = handover ?? .agree
        draft.reward = PlainText(self[.reward], limit: 1000).value
        draft.phone = PlainText(self[.phone], limit: 1000).value
        draft.question = PlainText(self[.question], limit: 1000).value
        draft.clip = clip
        draft.pictures = pictures
        reading.faults.merge(draft.faults(at: now)) { first, _ in first }
        // One sentence about a place is enough.
        if reading.faults[.at] != nil { reading.faults[.place] = nil }
        if reading.faults.isEmpty { reading.draft = draft }
        return reading
    }

    private func choice<T>(
        _ field: ListingField, _ make: (String) -> T?, _ faults: inout [ListingField: ListingFault]
    ) -> T? {
        if let value = make(self[field]) { return value }
        faults[field] = self[field].isEmpty ? .missing : .unknown
        return nil
    }

    private func time(_ field: ListingField, _ faults: inout [ListingField: ListingFault]) -> Date? {
        let text = PlainText(self[field], limit: 40).value
        guard !text.isEmpty else { return nil }
        if let date = TypedTime.date(text, offset: offset) { return date }
        faults[field] = .noTime
        return nil
    }
}
