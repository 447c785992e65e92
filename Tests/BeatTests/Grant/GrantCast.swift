import ChirpAccounts
import ChirpBeats
import ChirpCommunity
import ChirpCore
import ChirpTestKit
import Foundation
import GRDB

/// A library with the tables of licences, Ann who sells and Bob who buys, a key, and a clock that stands.
struct GrantCast {
    let folder: TemporaryFolder
    let library: HubLibrary
    let key: GrantKey
    static let start = Date(timeIntervalSince1970: 1_800_000_000)
    static let tables = BoardTables(
        name: "beats", steps: LicenceParts.steps, personal: { try LicenceParts.documents(of: $0, in: $1) },
        erase: { try LicenceParts.forget($0, in: $1) })

    init() throws {
        folder = try TemporaryFolder()
        library = try HubLibrary(
            folder: folder.path("hub"), reserve: .init(Int64(0)), now: { Self.start }, boards: [Self.tables])
        key = try GrantKey.read(folder.path("licence-key"))
    }

    var texts: LicenceTextStore { LicenceTextStore(library: library) }
    var grants: GrantStore { GrantStore(library: library) { "https://clips.example.org/beats/licences/\($0)" } }

    func people() async throws -> (ann: AccountID, bob: AccountID) {
        (try await person("ann"), try await person("bob"))
    }

    func person(_ name: String) async throws -> AccountID {
        try await library.transact { database in
            try database.execute(
                sql: """
                    INSERT INTO accounts (id, handle, skeleton, name, role, state, created)
                    VALUES (?, ?, ?, ?, 'member', 'active', ?)
                    """,
                arguments: ["id-\(name)", name, name, name.capitalized, Int(Self.start.timeIntervalSince1970) * 1000])
        }
        return AccountID(rawValue: "id-\(name)")
    }

    /// Does something to the tables that nothing in the hub does.
    func change(_ sql: String) async throws { try await library.transact { try $0.execute(sql: sql) } }

    func draft(
        _ template: LicenceTemplate = .wav, in language: LicenceLanguage = .english, order: HubID = HubID(),
        work: HubID = HubID(), _ change: (inout GrantDraft) -> Void = { _ in }
    ) async throws -> GrantDraft {
        let text = try await texts.template(template, in: language)
        var draft = GrantDraft(
            order: order, work: work, title: "Night drive", licence: "licence-1",
            licenceName: template.name(in: language),
            terms: template.terms(at: .amount(LicenceAmount(4900, "EUR", decimals: 2))), text: text.id,
            licensor: GrantParty("Ann Smith"), licensee: GrantParty("Bob Jones"), sold: Self.start,
            files: [
                GrantFile(name: "night-drive.wav", bytes: 42_336_044, sha256: String(repeating: "0f", count: 32)),
                GrantFile(name: "night-drive.mp3", bytes: 7_680_000, sha256: String(repeating: "a1", count: 32)),
            ])
        change(&draft)
        return draft
    }

    func path(_ bytes: [UInt8], _ name: String) throws -> String {
        let path = folder.path(name)
        try Data(bytes).write(to: URL(filePath: path))
        return path
    }

    /// What a program for reading finds in a paper, with spaces for line ends.
    func text(of pdf: [UInt8]) throws -> String {
        let read = try ExternalProgram("pdftotext").run(["-layout", try path(pdf, "paper.pdf"), "-"])
        return read.text.split { $0.isWhitespace }.joined(separator: " ")
    }
}
