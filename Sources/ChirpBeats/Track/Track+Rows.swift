internal import ChirpBoards
internal import ChirpCommunity
internal import FoundationEssentials
internal import GRDB

extension Track {
    /// Those of some items that have a row, in the order of the items.
    static func all(of items: [Item], in database: Database) throws -> [Track] {
        guard !items.isEmpty else { return [] }
        let list = String(decoding: try JSONEncoder().encode(items.map(\.id.text)), as: UTF8.self)
        let rows = try Row.fetchAll(
            database.cachedStatement(
                sql: "SELECT tracks.* FROM json_each(?) AS list JOIN tracks ON tracks.item = list.value"),
            arguments: [list])
        var found: [HubID: Row] = [:]
        for row in rows { if let id = HubID(row["item"] as String) { found[id] = row } }
        return items.compactMap { item in found[item.id].flatMap { Track(item, $0) } }
    }

    /// Nil for a row of a later release.
    init?(_ item: Item, _ row: Row) {
        guard let work = HubID(row["work"] as String), let kind = Kind(rawValue: row["kind"]),
            let progress = Progress(rawValue: row["state"]), let price = TrackPrice(row)
        else { return nil }
        self.init(
            item: item, work: work, kind: kind, versionName: row["version"],
            master: (row["master"] as String?).flatMap { HubID($0) }, price: price, progress: progress, why: row["why"],
            appears: row["appears"], facts: progress == .ready ? TrackFacts(row) : nil)
    }
}

extension TrackPrice {
    init?(_ row: Row) {
        switch Kind(rawValue: row["price"]) {
        case .free: self = .free
        case .offer: self = .offer
        case .amount:
            guard let amount: Int64 = row["amount"],
                let currency = (row["currency"] as String?).flatMap(Currency.init)
            else { return nil }
            self = .amount(amount, currency)
        case nil: return nil
        }
    }

    /// What the columns `price`, `amount` and `currency` hold.
    var columns: StatementArguments {
        guard case .amount(let amount, let currency) = self else { return [kind.rawValue, nil, nil] }
        return [kind.rawValue, amount, currency.rawValue]
    }
}

extension TrackFacts {
    init?(_ row: Row) {
        guard let milliseconds: Int = row["milliseconds"] else { return nil }
        self.init(milliseconds: milliseconds)
        (loudness, peak, previewLoudness) = (row["loudness"], row["peak"], row["previewLoudness"])
        if let beats: Double = row["tempo"] {
            tempo = Tempo(beats: beats, other: row["tempoOther"], confidence: row["tempoConfidence"] ?? 0)
        }
        if let tonality = (row["key"] as Int?).flatMap(Tonality.init(number:)) {
            key = Key(
                tonality, other: (row["keyOther"] as Int?).flatMap(Tonality.init(number:)),
                confidence: row["keyConfidence"] ?? 0)
        }
        description = Self.floats(row["description"])
        (density, brightness) = (row["density"], row["brightness"])
        beats = Self.words(row["beats"]).map { Double($0) / 1000 }
        print = Array((row["print"] as Data?) ?? Data())
    }

    static func floats(_ data: Data?) -> [Float] { words(data).map(Float.init(bitPattern:)) }

    static func data(_ floats: [Float]) -> Data? { data(floats.map(\.bitPattern)) }

    /// Numbers of 32 bits, the lowest byte first.
    static func words(_ data: Data?) -> [UInt32] {
        (data ?? Data()).withUnsafeBytes { bytes in
            stride(from: 0, to: bytes.count - bytes.count % 4, by: 4).map {
                UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: $0, as: UInt32.self))
            }
        }
    }

    static func data(_ words: [UInt32]) -> Data? {
        guard !words.isEmpty else { return nil }
        return Data(words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } })
    }

    /// The beats as a table keeps them. Before the beginning there is nothing to hear.
    var beatsData: Data? { Self.data(beats.filter { $0 >= 0 }.map { UInt32(clamping: ($0 * 1000).rounded()) }) }

    /// More beats than the longest track has.
    private static let mostBeats = 20_000

    /// Without what no column or page can hold: numbers that are none, and descriptions beyond any measure.
    var bounded: TrackFacts {
        func real(_ value: Double?) -> Double? { value.flatMap { $0.isFinite ? $0 : nil } }
        var facts = self
        (facts.loudness, facts.peak, facts.previewLoudness) = (real(loudness), real(peak), real(previewLoudness))
        func share(_ value: Double) -> Double { min(max(real(value) ?? 0, 0), 1) }
        facts.tempo = tempo.flatMap { tempo in
            guard tempo.beats.isFinite, (1...999).contains(tempo.beats) else { return nil }
            return Tempo(beats: tempo.beats, other: real(tempo.other), confidence: share(tempo.confidence))
        }
        func known(_ key: Tonality) -> Tonality { Tonality(tonic: key.tonic, isMinor: key.isMinor) }
        facts.key = key.map { Key(known($0.tonality), other: $0.other.map(known), confidence: share($0.confidence)) }
        if description.count > 1024 || description.contains(where: { !$0.isFinite }) { facts.description = [] }
        if print.count > 1 << 20 { facts.print = [] }
        if probes.count > 1 << 17 { facts.probes = [] }
        (facts.density, facts.brightness) = (real(density), real(brightness))
        let isCourse =
            beats.count <= Self.mostBeats && beats.allSatisfy { $0.isFinite && $0 < 100_000 }
            && zip(beats, beats.dropFirst()).allSatisfy { $0 < $1 }
        if !isCourse { facts.beats = [] }
        return facts
    }
}
