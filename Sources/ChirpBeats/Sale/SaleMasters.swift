package import ChirpCommunity
internal import ChirpCore
internal import ChirpFiles
internal import GRDB
internal import Glibc

/// The files that there are of works, for who sells them.
package struct SaleMasters: Sendable {
    /// Makes an MP3 of a master in another file, which appears whole.
    package typealias MakeMP3 = @Sendable (_ master: String, _ goal: String) async throws -> Void

    let library: HubLibrary
    /// Nil: nobody does, and a WAV is delivered as a WAV alone.
    let makeMP3: MakeMP3?
    /// One copy at a time, so that two buyers at once get one.
    private let lane = AsyncSemaphore(width: 1)

    package init(library: HubLibrary, makeMP3: MakeMP3? = nil) { (self.library, self.makeMP3) = (library, makeMP3) }

    /// Something that is delivered, and which of the promised kinds it is.
    struct Part: Sendable {
        let kind: LicenceTerms.File
        let file: GrantFile
    }

    /// Those of a work, all versions of it.
    func masters(of work: HubID) async throws -> [SaleMaster] {
        let rows = try await library.reading { database in
            try Row.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT item, version, master FROM tracks
                        WHERE work = ? AND state IN ('made', 'ready') AND master IS NOT NULL ORDER BY item LIMIT 32
                        """), arguments: [work.text]
            ).compactMap { row -> (HubID, String, HubID)? in
                guard let item = HubID(row["item"] as String), let master = HubID(row["master"] as String) else {
                    return nil
                }
                return (item, row["version"], master)
            }
        }
        var masters: [SaleMaster] = []
        for (item, version, film) in rows {
            let stems = try await TrackStore(library: library).stems(of: item)
            let master = await offPool { [library] in
                SaleMaster(item: item, version: version, film: film, stems: stems, in: library)
            }
            if let master { masters.append(master) }
        }
        return masters
    }

    /// What can be delivered of all versions of a work.
    package func kinds(of work: HubID) async throws -> Set<LicenceTerms.File> {
        let all = try await masters(of: work).map(kinds)
        return all.dropFirst().reduce(all.first ?? []) { $0.intersection($1) }
    }

    private func kinds(of master: SaleMaster) -> Set<LicenceTerms.File> {
        var kinds: Set = [master.kind]
        if makeMP3 != nil { kinds.insert(.mp3) }
        if !master.stems.isEmpty { kinds.insert(.stems) }
        return kinds
    }

    /// Keeps what is delivered with a purchase: of a lease the track that was bought, of an exclusive all versions.
    ///
    /// - Throws: also ``SaleFault``: what a shop has promised is delivered whole, or not at all.
    func keep(_ purchase: Purchase) async throws -> [Part] {
        let all = try await masters(of: purchase.work)
        let masters = purchase.terms.kind == .exclusive ? all : all.filter { $0.item == purchase.item }
        var (parts, names): ([Part], Set<String>) = ([], [])
        func add(_ kept: FileDigest, _ kind: LicenceTerms.File, _ label: String, _ ending: LicenceTerms.File) {
            var number = 0
            while !names.insert(SaleMaster.name(purchase.title, label, number: number, ending)).inserted { number += 1 }
            let name = SaleMaster.name(purchase.title, label, number: number, ending)
            parts.append(Part(kind: kind, file: GrantFile(name: name, bytes: kept.bytes, sha256: kept.sha256)))
        }
        for master in masters {
            for kind in purchase.terms.files {
                switch kind {
                case master.kind: add(try await keep(master.path), kind, master.version, kind)
                case .mp3: if let copy = try await copy(of: master) { add(copy, kind, master.version, kind) }
                case .wav: break
                case .stems:
                    for stem in master.stems {
                        add(try await keep(stem.path), kind, "\(master.version) \(stem.name)", stem.kind)
                    }
                }
            }
        }
        guard !parts.isEmpty else { throw SaleFault.noFiles }
        guard parts.count <= GrantDraft.mostFiles else {
            throw SaleFault.over("it has more than \(GrantDraft.mostFiles) files")
        }
        let lacking = masters.contains { !kinds(of: $0).isSuperset(of: purchase.terms.files) }
        if purchase.auction == nil, purchase.request == nil, lacking {
            let isComing = masters.contains(where: \.isComparing)
            throw isComing ? SaleFault.noFiles : SaleFault.over("the track has other files by now")
        }
        return parts
    }

    private func keep(_ path: String) async throws -> FileDigest {
        try await offPool { [library] in try library.keep(path) }
    }

    // MARK: copies

    /// The MP3 of a master that is none: made once, so that every buyer gets the same bytes. What was made is kept as long as its master.
    private func copy(of master: SaleMaster) async throws -> FileDigest? {
        guard let makeMP3 else { return nil }
        guard await lane.enter() else { throw CancellationError() }
        defer { lane.leave() }
        if let known = try await known(master.film) { return known }
        let made = library.uploads.file(HubID())
        defer { unlink(made) }
        try await makeMP3(master.path, made)
        let digest = try await keep(made)
        try await library.transact { database in
            try database.cachedStatement(
                sql: """
                    INSERT INTO saleCopies (master, sha256, bytes) VALUES (?, ?, ?)
                    ON CONFLICT (master) DO UPDATE SET sha256 = excluded.sha256, bytes = excluded.bytes
                    """
            ).execute(arguments: [master.film.text, digest.sha256, digest.bytes])
        }
        return digest
    }

    /// Nil where none was made yet, and where its file is gone.
    private func known(_ film: HubID) async throws -> FileDigest? {
        let row = try await library.reading { database in
            try Row.fetchOne(
                database.cachedStatement(sql: "SELECT sha256, bytes FROM saleCopies WHERE master = ?"),
                arguments: [film.text]
            ).flatMap { KeptFile(sha256: $0["sha256"], bytes: $0["bytes"]) }
        }
        guard let row, await offPool({ [library] in library.file(of: row)?.size }) == row.bytes else { return nil }
        return FileDigest(bytes: row.bytes, sha256: row.sha256)
    }

    /// Copies whose masters are still there, whether one was sold or not.
    static func keptFiles(in database: Database) throws -> [KeptFile] {
        guard try database.tableExists("saleCopies") else { return [] }
        return try Row.fetchAll(database.cachedStatement(sql: "SELECT sha256, bytes FROM saleCopies")).compactMap {
            KeptFile(sha256: $0["sha256"], bytes: $0["bytes"])
        }
    }
}

/// Why something that was paid cannot be delivered.
enum SaleFault: Error, CustomStringConvertible {
    case noPurchase
    case noFiles
    /// It never can: the money goes back.
    case over(String)

    var description: String {
        switch self {
        case .noPurchase: "nothing is written down of what was bought"
        case .noFiles: "the track's file is not there"
        case .over(let why): why
        }
    }
}
