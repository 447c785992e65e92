internal import ChirpCore
internal import ChirpDatabase
internal import GRDB
internal import Glibc
internal import Synchronization

/// Names of places and where they are. Any number of tasks may ask at once.
///
/// They are those of GeoNames (CC BY 4.0, which asks that it be named where they are shown).
package final class Gazetteer: Sendable {
    private enum State: Sendable {
        case closed(@Sendable () async throws -> DatabasePool)
        case opening(Task<DatabasePool, any Error>)
        case open(DatabasePool)
    }
    private let state: Mutex<State>
    private let readers = ReaderThreads(Gazetteer.mostReaders, label: "chirp.places")
    /// How many questions are answered at once.
    private static let mostReaders = 2

    /// Who has to be named beside what comes from here.
    package static let attribution = "GeoNames, CC BY 4.0"

    /// Where Debian's `libtimezonemap-data` has the files that it is made from.
    package static let usualSource = "/usr/share/libtimezonemap/ui"

    /// - Parameter path: a database made by ``Gazetteer/make(from:at:)``.
    /// - Throws: ``GazetteerError``.
    package init(path: String) throws {
        let pool = try Self.open(path)
        state = Mutex(.open(pool))
    }

    /// One that is made when it is first asked, if it was not made from these files before. Until it is, who asks waits.
    ///
    /// - Parameters:
    ///   - source: the folder with the files; when it is not there, what was made goes on.
    ///   - report: gets what went wrong, once. Then every question fails with it, until the program is started again.
    package init(path: String, source: String, report: @escaping @Sendable (GazetteerError) -> Void) {
        state = Mutex(
            .closed {
                do throws(GazetteerError) {
                    return try await offPool { () throws(GazetteerError) in try Self.openMaking(path, from: source) }
                } catch {
                    report(error)
                    throw error
                }
            })
    }

    /// Makes it ready before somebody asks, without waiting for it.
    package func prepare() { _ = state.withLock { Self.opening(&$0) } }

    private static func openMaking(_ path: String, from source: String) throws(GazetteerError) -> DatabasePool {
        do {
            if access(source, R_OK) == 0, !isMade(from: source, at: path) { try make(from: source, at: path) }
            return try open(path)
        } catch {
            throw GazetteerError(error)
        }
    }

    /// Of a file that is there, to read.
    static func open(_ path: String) throws(GazetteerError) -> DatabasePool {
        do {
            var configuration = Configuration()
            configuration.label = "chirp.places"
            configuration.readonly = true
            configuration.maximumReaderCount = mostReaders
            return try DatabasePool(path: path, configuration: configuration)
        } catch {
            throw GazetteerError(error)
        }
    }

    private static func opening(_ state: inout State) -> State {
        if case .closed(let open) = state { state = .opening(Task { try await open() }) }
        return state
    }

    private func database() async throws -> DatabasePool {
        switch state.withLock({ Self.opening(&$0) }) {
        case .open(let pool): return pool
        case .opening(let task): return try await task.value
        case .closed(let open): return try await open()
        }
    }

    package func place(_ id: Int64) async throws -> NamedPlace? {
        try await read { try Self.places([id], in: $0).first }
    }

    /// The country that a place is in, as ISO 3166-1 has it in two letters, as in `DE`: what to compare countries by, whose names change.
    /// Nil when there is no such place, or it is in none.
    package func country(of place: Int64) async throws -> String? {
        let area = try await read { database in
            try String.fetchOne(
                database.cachedStatement(sql: "SELECT area FROM places WHERE id = ?"), arguments: [place])
        }
        let code = area?.prefix { $0 != "." } ?? ""
        return code.isEmpty ? nil : String(code)
    }

    /// The one nearest to a point, at most so many metres away.
    package func nearest(to point: GeoPoint, within radius: Double) async throws -> NamedPlace? {
        let radius = min(radius.isFinite ? radius : 0, .pi * GeoPoint.earthRadius)
        guard radius >= 0 else { return nil }
        return try await read { database in
            // Where people live a town is near, and a box of hundreds of kilometres holds thousands.
            var reach = min(radius, 20_000)
            while true {
                // The index keeps points with fewer digits: the nearest ones by it are compared by the whole ones.
                let ids = try Self.nearest(16, to: point, in: GeoBox(around: point, radius: reach), database)
                let found = try Self.places(ids, in: database)
                    .map { (place: $0, distance: $0.point.distance(to: point)) }
                    .filter { $0.distance <= reach }
                    .min { ($0.distance, $0.place.id) < ($1.distance, $1.place.id) }
                if let found { return found.place }
                guard reach < radius else { return nil }
                reach = min(radius, reach * 2)
            }
        }
    }

    /// The greatest ones in a part of the earth, for a map.
    ///
    /// - Parameter limit: at most 500.
    package func greatest(in box: GeoBox, limit: Int) async throws -> [NamedPlace] {
        let limit = min(max(limit, 0), 500)
        return try await read { database in
            // The index keeps points with fewer digits: some at the edge are found that do not belong there.
            let ids = try Self.ids(in: box, most: limit + 50, database)
            return Array(try Self.places(ids, in: database).filter { box.contains($0.point) }.prefix(limit))
        }
    }

    /// What GRDB throws becomes what callers know.
    func read<Value: Sendable>(_ body: @Sendable @escaping (Database) throws -> Value) async throws -> Value {
        do { return try await readers.read(try await database(), body) } catch {
            if error is CancellationError { throw error }
            throw GazetteerError(error)
        }
    }

    /// Those with some ids, in that order.
    static func places(_ ids: [Int64], in database: Database) throws -> [NamedPlace] {
        let statement = try database.cachedStatement(
            sql: "SELECT id, name, province, country, lat, lon, people FROM places WHERE id = ?")
        return try ids.compactMap { try Row.fetchOne(statement, arguments: [$0]).flatMap(place) }
    }

    private static func nearest(
        _ count: Int, to point: GeoPoint, in box: GeoBox, _ database: Database
    ) throws -> [Int64] {
        let statement = try database.cachedStatement(
            sql: "SELECT id, south, west FROM placeBoxes WHERE north >= ? AND south <= ? AND east >= ? AND west <= ?")
        var best: [(id: Int64, distance: Double)] = []
        for piece in box.pieces {
            let rows = try Row.fetchCursor(
                statement, arguments: [piece.south, piece.north, piece.west, piece.east])
            while let row = try rows.next() {
                guard let place = GeoPoint(latitude: row[1], longitude: row[2]) else { continue }
                let distance = place.distance(to: point)
                guard best.count < count || distance < best[count - 1].distance else { continue }
                best.insert((row[0], distance), at: best.firstIndex { distance < $0.distance } ?? best.endIndex)
                if best.count > count { best.removeLast() }
            }
        }
        return best.map(\.id)
    }

    /// From so many degrees on, a box is walked from the greatest place of all on.
    private static let large = 5.0

    /// The greatest first.
    private static func ids(in box: GeoBox, most: Int, _ database: Database) throws -> [Int64] {
        let isLarge = min(box.north - box.south, box.pieces.map { $0.east - $0.west }.reduce(0, +)) >= large
        let statement = try database.cachedStatement(
            sql: isLarge
                ? """
                SELECT id, people FROM places INDEXED BY placesByPeople
                WHERE lat >= ? AND lat <= ? AND lon >= ? AND lon <= ? ORDER BY people DESC, id LIMIT ?
                """
                : """
                SELECT id, people FROM placeBoxes WHERE north >= ? AND south <= ? AND east >= ? AND west <= ?
                ORDER BY people DESC, id LIMIT ?
                """)
        let found = try box.pieces.flatMap { piece in
            try Row.fetchAll(statement, arguments: [piece.south, piece.north, piece.west, piece.east, most])
                .map { (id: $0["id"] as Int64, people: $0["people"] as Int64) }
        }
        guard box.pieces.count > 1 else { return found.map(\.id) }
        return Array(found.sorted { ($1.people, $0.id) < ($0.people, $1.id) }.map(\.id).prefix(most))
    }

    /// Of a row with the columns in the order in which ``places(_:in:)`` asks for them: by their names half of its time went into comparing
    /// names.
    private static func place(_ row: Row) -> NamedPlace? {
        GeoPoint(latitude: row[4], longitude: row[5]).map { point in
            NamedPlace(id: row[0], name: row[1], province: row[2], country: row[3], point: point, people: row[6])
        }
    }
}
