import ChirpAccounts
import ChirpBeats
import ChirpBoards
import ChirpCommunity
import Foundation
import GRDB

/// Writes tracks with what was heard in them, their works, and the licences that these are offered under. A few producers have many, most have few.
///
/// Entries are written by the calls that the hub uses, and so is what was heard; masters and previews are rows without files.
struct BeatFiller: Sendable {
    let library: HubLibrary
    let clock: MovedClock
    let vocabulary: Vocabulary
    let options: Options

    private static let batch = 5000
    static let day = 86_400.0
    /// Over so many days they were offered.
    private static let age = 60.0

    /// So many people make beats.
    var producers: Int { max(1, options.accounts / 5) }

    func account(_ number: Int) -> AccountID { AccountID(rawValue: "load\(number)") }

    @Sendable func addTracks() async throws -> Int {
        guard options.tracks > 0 else { return 0 }
        let texts = try await texts()
        try await addRoles()
        let sound = MadeSound(seed: options.seed)
        var keys: [UInt64] = []
        var last: (author: AccountID, work: HubID)?
        clock.wait(-Self.age * Self.day)
        for start in stride(from: 0, to: options.tracks, by: Self.batch) {
            let numbers = start..<min(options.tracks, start + Self.batch)
            var generator = SplitMix(seed: options.seed &* 5_000_011 &+ UInt64(start))
            var authors = last?.author
            let tracks = numbers.map { number in
                let isVersion = number % 10 == 9 && authors != nil
                let one = account(generator.favourite(of: producers))
                let author = isVersion ? authors ?? one : one
                authors = author
                return MadeTrack(
                    number, by: author, isVersion: isVersion, sound: sound, vocabulary: vocabulary, using: &generator)
            }
            let before = last
            let written = try await library.transact { database in
                var (last, keys) = (before, [UInt64]())
                for track in tracks {
                    clock.wait(Self.age * Self.day / Double(options.tracks))
                    let work = try write(track, work: track.isVersion ? last?.work : nil, texts, &keys, in: database)
                    last = (track.author, work)
                }
                return (last, keys)
            }
            last = written.0
            keys += written.1
            FileHandle.standardError.write(Data("\(numbers.upperBound) tracks\n".utf8))
        }
        try await add(keys)
        return options.tracks
    }

    /// The texts that came with the program, by what they are for.
    private func texts() async throws -> [LicenceTemplate: Int64] {
        var texts: [LicenceTemplate: Int64] = [:]
        let store = LicenceTextStore(library: library)
        for template in [LicenceTemplate.mp3, .wav, .exclusive] {
            let version = try await store.template(template, in: .english)
            texts[template] = try await library.reading {
                try Int64.fetchOne(
                    $0, sql: "SELECT sequence FROM licenceTexts WHERE id = ?", arguments: [version.id.text])
            }
        }
        return texts
    }

    private func addRoles() async throws {
        let now = Accounts.milliseconds(clock.now)
        try await library.transact { database in
            let statement = try database.cachedStatement(
                sql: "INSERT INTO beatRoles (account, role, since) VALUES (?, ?, ?) ON CONFLICT DO NOTHING")
            for number in 0..<producers {
                for role in [BeatRole.producer, .artist] {
                    try statement.execute(arguments: [account(number), role.rawValue, now])
                }
            }
        }
    }

    /// - Returns: its work.
    private func write(
        _ track: MadeTrack, work: HubID?, _ texts: [LicenceTemplate: Int64], _ keys: inout [UInt64],
        in database: Database
    ) throws -> HubID {
        let now = Accounts.milliseconds(clock.now)
        let (master, preview) = (HubID(), HubID())
        try write(track, master, preview, at: now, in: database)
        var item = track.draft.item(
            of: track.author, key: "load:track:\(track.number)", preview: preview, facts: track.facts)
        item.state = .open
        let id = try Items.create(item, by: library, in: database)
        let work = try work ?? newWork(track, texts, at: now, in: database)
        var price: (amount: Int64?, currency: String?)
        if case .amount(let amount, let currency) = track.draft.price { price = (amount, currency.rawValue) }
        try database.cachedStatement(
            sql: """
                INSERT INTO tracks (item, work, kind, version, master, state, appears, price, amount, currency)
                VALUES (?, ?, ?, ?, ?, 'made', 1, ?, ?, ?)
                """
        ).execute(arguments: [
            id.text, work.text, track.draft.kind.rawValue, track.draft.versionName, master.text,
            track.draft.price.kind.rawValue, price.amount, price.currency,
        ])
        try TrackStore.write(track.facts, of: id, in: database)
        try database.cachedStatement(sql: "INSERT INTO trackPrints (item) VALUES (?)").execute(arguments: [id.text])
        let number = UInt64(database.lastInsertedRowID)
        keys += track.keys.map { UInt64($0) << 32 | number }
        return work
    }

    /// What was sent, and what others hear of it.
    private func write(
        _ track: MadeTrack, _ master: HubID, _ preview: HubID, at now: Int64, in database: Database
    ) throws {
        let digest = String(repeating: "0", count: 64)
        let seconds = Double(track.facts.milliseconds) / 1000
        try database.cachedStatement(
            sql: """
                INSERT INTO clips (id, title, fileName, contentType, bytes, sha256, seconds, peaks, created, shared, owner)
                VALUES (?, ?, 'preview.mp3', 'audio/mpeg', ?, ?, ?, ?, ?, 1, ?)
                """
        ).execute(arguments: [
            preview.text, track.draft.title, Int(seconds * 16_000), digest, seconds, Data(track.peaks), now,
            track.author,
        ])
        try database.cachedStatement(
            sql: """
                INSERT INTO films (id, owner, state, bytes, milliseconds, sound, created, received, track, clip, findings)
                VALUES (?, ?, 'ready', ?, ?, 1, ?, ?, 1, ?, '')
                """
        ).execute(arguments: [
            master.text, track.author, Int(seconds * 176_400), track.facts.milliseconds, now, now, preview.text,
        ])
        try database.cachedStatement(
            sql: "INSERT INTO filmFiles (film, name, bytes, sha256) VALUES (?, 'original', ?, ?)"
        ).execute(arguments: [master.text, Int(seconds * 176_400), digest])
    }

    private func newWork(
        _ track: MadeTrack, _ texts: [LicenceTemplate: Int64], at now: Int64, in database: Database
    ) throws -> HubID {
        let work = HubID()
        try database.cachedStatement(sql: "INSERT INTO works (id, author, created) VALUES (?, ?, ?)").execute(
            arguments: [work.text, track.author, now])
        for offer in track.offers {
            try database.cachedStatement(
                sql: "INSERT INTO licenceOffers (id, work, name, text, terms, made) VALUES (?, ?, ?, ?, ?, ?)"
            ).execute(arguments: [
                HubID().text, work.text, offer.template.name(in: .english), texts[offer.template], offer.terms.json,
                now,
            ])
        }
        return work
    }

    /// Keys of prints, in the order that their table has them.
    private func add(_ keys: [UInt64]) async throws {
        let sorted = keys.sorted()
        try await library.transact { database in
            let statement = try database.cachedStatement(
                sql: "INSERT INTO trackPrintKeys (key, print) VALUES (?, ?) ON CONFLICT DO NOTHING")
            for row in sorted {
                try statement.execute(arguments: [Int64(row >> 32), Int64(row & 0xFFFF_FFFF)])
            }
        }
    }
}
