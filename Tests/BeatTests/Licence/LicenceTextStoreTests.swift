import ChirpAccounts
import ChirpBeats
import ChirpCommunity
import Foundation
import GRDB
import Testing

/// What was sold is never changed, only superseded.
@Suite struct LicenceTextStoreTests {
    private let cast: GrantCast
    private let body = "{licensor} gives {licensee} {work}."

    init() throws { cast = try GrantCast() }

    private func draft(_ body: String? = nil, title: String = "My licence") -> LicenceTextStore.Draft {
        LicenceTextStore.Draft(title: title, body: body ?? self.body, language: .english)
    }

    @Test func `a template is written down once, and for all leases together`() async throws {
        let first = try await cast.texts.template(.mp3, in: .english)
        #expect(try await cast.texts.template(.wav, in: .english) == first)
        #expect(first.version == 1 && first.account == nil)
        #expect(try await cast.texts.template(.mp3, in: .german).id != first.id)
        #expect(try await cast.texts.template(.exclusive, in: .english).id != first.id)
        #expect(try await cast.texts.version(first.id) == first)
    }

    @Test func `a template that a release words differently is one more version`() async throws {
        // What an earlier release has written.
        try await cast.change(
            """
            INSERT INTO licenceTexts (id, line, version, language, title, body, sha256, made)
            VALUES ('1111111111111111111111', 'template-lease-en', 1, 'en', 'Old', '{licensor} {licensee} {work}',
                '\(String(repeating: "0", count: 64))', 0)
            """)
        let now = try await cast.texts.template(.mp3, in: .english)
        #expect(now.version == 2)
        #expect(try await cast.texts.versions(of: now.line).map(\.version) == [2, 1])
        #expect(try await cast.texts.version(#require(HubID("1111111111111111111111"))).text.title == "Old")
    }

    @Test func `a text of one's own is superseded, and the old version stays as it was`() async throws {
        let ann = try await cast.person("ann")
        let first = try await cast.texts.create(draft(), by: ann)
        let second = try await cast.texts.supersede(
            first.line, version: 1, by: draft(body + " Again."), account: ann)
        #expect(second.version == 2 && second.line == first.line && second.id != first.id)
        #expect(try await cast.texts.version(first.id) == first)
        #expect(try await cast.texts.newest(by: ann) == [second])
        // The same words are no new version, also for who sends a form twice.
        #expect(
            try await cast.texts.supersede(first.line, version: 1, by: draft(body + " Again."), account: ann) == second)
    }

    @Test func `two who write at once are told of each other`() async throws {
        let ann = try await cast.person("ann")
        let first = try await cast.texts.create(draft(), by: ann)
        _ = try await cast.texts.supersede(first.line, version: 1, by: draft(body + " A."), account: ann)
        await #expect(throws: LicenceRefusal.changed(version: 2)) {
            try await cast.texts.supersede(first.line, version: 1, by: draft(body + " B."), account: ann)
        }
    }

    @Test func `nobody changes a text of others, nor a template`() async throws {
        let (ann, bob) = try await cast.people()
        let first = try await cast.texts.create(draft(), by: ann)
        let template = try await cast.texts.template(.mp3, in: .english)
        for line in [first.line, template.line, "no line"] {
            await #expect(throws: LicenceRefusal.noSuchText) {
                try await cast.texts.supersede(line, version: 1, by: draft("other \(body)"), account: bob)
            }
        }
        await #expect(throws: LicenceRefusal.noAccount) {
            try await cast.texts.create(draft(), by: .init(rawValue: "nobody"))
        }
        await #expect(throws: LicenceRefusal.noSuchText) { try await cast.texts.version(HubID()) }
    }

    @Test func `what cannot be sold is refused field by field`() async throws {
        let ann = try await cast.person("ann")
        let cases: [(LicenceTextStore.Draft, LicenceField, LicenceFault)] = [
            (draft(title: ""), .title, .missing), (draft(""), .body, .missing),
            (draft(title: String(repeating: "x", count: 121)), .title, .tooLong(most: 120)),
            (draft(body + "{price}"), .body, .text(.unknownVariable("price", line: 1))),
            (draft("{licensor} {licensee}"), .body, .text(.missing(.work))),
        ]
        for (draft, field, fault) in cases {
            await #expect(throws: LicenceRefusal.fields([field: fault])) {
                try await cast.texts.create(draft, by: ann)
            }
        }
    }

    @Test func `somebody has so many texts and no more`() async throws {
        let ann = try await cast.person("ann")
        for number in 0..<LicenceTextStore.mostLines {
            _ = try await cast.texts.create(draft(title: "Licence \(number)"), by: ann)
        }
        await #expect(throws: LicenceRefusal.tooMany(most: LicenceTextStore.mostLines)) {
            try await cast.texts.create(draft(), by: ann)
        }
    }

    @Test func `the database itself keeps texts as they were`() async throws {
        let ann = try await cast.person("ann")
        let text = try await cast.texts.create(draft(), by: ann)
        for sql in [
            "UPDATE licenceTexts SET body = 'x'", "UPDATE licenceTexts SET version = 9",
            "UPDATE licenceTexts SET account = NULL",
            """
            INSERT INTO licenceTexts (id, line, version, account, language, title, body, sha256, made)
            SELECT 'x', line, 3, account, language, title, body, sha256, made FROM licenceTexts
            """,
            """
            INSERT OR REPLACE INTO licenceTexts (id, line, version, account, language, title, body, sha256, made)
            SELECT id, line, 2, account, language, title, 'x', sha256, made FROM licenceTexts
            """,
        ] {
            await #expect(throws: (any Error).self, "\(sql)") { try await cast.change(sql) }
        }
        #expect(try await cast.texts.version(text.id) == text)
    }

    @Test func `what was sold outlives whoever wrote it, and the rest goes along`() async throws {
        let ann = try await cast.person("ann")
        let (sold, unsold) = (
            try await cast.texts.create(draft(), by: ann), try await cast.texts.create(draft(title: "Unsold"), by: ann)
        )
        let grant = try await cast.grants.issue(
            cast.draft {
                $0.text = sold.id
                $0.licensor.account = ann
            }, key: cast.key)
        await #expect(throws: (any Error).self) {
            try await cast.change("DELETE FROM licenceTexts WHERE id = '\(sold.id)'")
        }
        try await cast.library.transact { database in
            try LicenceParts.forget(ann, in: database)
            try database.execute(sql: "DELETE FROM accounts WHERE id = ?", arguments: [ann])
        }
        await #expect(throws: LicenceRefusal.noSuchText) { try await cast.texts.version(unsold.id) }
        let kept = try await cast.texts.version(sold.id)
        #expect(kept.account == nil && kept.text == sold.text && kept.sha256 == sold.sha256)
        let (found, verdict) = try await cast.grants.verdict(on: grant.id)
        #expect(verdict == .valid && found.licensor == nil && found.says.licensor == "Ann Smith")
    }
}
