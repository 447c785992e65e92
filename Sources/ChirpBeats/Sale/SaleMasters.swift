package import ChirpCommunity
internal import ChirpCore
internal import ChirpFiles
internal import GRDB
internal import Glibc

/// The files that there are of works, for who sells them.
package struct SaleMasters: Sendable {
    let library: HubLibrary
    /// Makes an MP3 of a master in another file; nil: nobody does, and a WAV is delivered as a WAV alone.
    let makeMP3: (@Sendable (_ master: String, _ goal: String) async throws -> Void)?

    package init(
        library: HubLibrary, makeMP3: (@Sendable (_ master: String, _ goal: String) async throws -> Void)? = nil
    ) {
        (self.library, self.makeMP3) = (library, makeMP3)
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
        return await offPool { [library] in
            rows.compactMap { item, version, master in
                let path = library.master(master)
                return SaleMaster.kind(of: path).map {
                    SaleMaster(item: item, version: version, path: path, kind: $0)
                }
            }
        }
    }

    /// What can be delivered of all versions of a work.
    package func kinds(of work: HubID) async throws -> Set<LicenceTerms.File> {
        let masters = try await masters(of: work)
        guard var kinds = masters.first.map({ Set([$0.kind]) }) else { return [] }
        for master in masters where !kinds.contains(master.kind) { kinds = [] }
        if makeMP3 != nil, !masters.isEmpty { kinds.insert(.mp3) }
        return kinds
    }

    /// Keeps what is delivered with a purchase: of a lease the track that was bought, of an exclusive all versions.
    ///
    /// - Throws: also ``SaleFault/noFiles``.
    func keep(_ purchase: Purchase) async throws -> [GrantFile] {
        let all = try await masters(of: purchase.work)
        let masters = purchase.terms.kind == .exclusive ? all : all.filter { $0.item == purchase.item }
        var (files, names): ([GrantFile], Set<String>) = ([], [])
        for master in masters {
            for kind in purchase.terms.files where kind == master.kind || kind == .mp3 {
                guard let digest = try await keep(master, as: kind) else { continue }
                var number = 0
                while !names.insert(SaleMaster.name(purchase.title, master.version, number: number, kind)).inserted {
                    number += 1
                }
                files.append(
                    GrantFile(
                        name: SaleMaster.name(purchase.title, master.version, number: number, kind),
                        bytes: digest.bytes, sha256: digest.sha256))
            }
        }
        guard !files.isEmpty else { throw SaleFault.noFiles }
        return files
    }

    private func keep(_ master: SaleMaster, as kind: LicenceTerms.File) async throws -> FileDigest? {
        if kind == master.kind { return try await offPool { [library] in try library.keep(master.path) } }
        guard let makeMP3 else { return nil }
        let made = "\(library.folder)/uploads/\(HubID().text)"
        do {
            try await makeMP3(master.path, made)
            let digest = try await offPool { [library] in try library.keep(made) }
            unlink(made)
            return digest
        } catch {
            unlink(made)
            throw error
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
