import ChirpBeats
import ChirpCommunity
import ChirpFiles
import ChirpTestKit
import Foundation
import GRDB
import Testing

@Suite struct GrantStoreTests {
    private let cast: GrantCast

    init() throws { cast = try GrantCast() }

    @Test func `a grant has its paper, its text and an address where anybody checks it`() async throws {
        let (ann, bob) = try await cast.people()
        let grant = try await cast.grants.issue(
            cast.draft {
                $0.licensor.account = ann
                $0.licensee.account = bob
            }, key: cast.key)
        #expect(grant.licensor == ann && grant.licensee == bob && grant.isInForce(at: GrantCast.start))
        let pdf = try await cast.grants.paper(of: grant.id)
        #expect(try ExternalProgram("qpdf").run(["--check", cast.path(pdf, "paper.pdf")]).status == 0)
        let text = try cast.text(of: pdf)
        for words in [
            "Licence agreement", "WAV lease", "Night drive", "Ann Smith", "Bob Jones", "49.00 EUR", "2027-01-15",
            "at most 5,000",
            "10 years", "night-drive.wav", "42,336,044", "no legal advice", "Order \(grant.says.order)",
            grant.document.key,
            "clips.example.org/beats/licences/\(grant.id)", "Page 1 of",
        ] {
            #expect(text.contains(words), "\(words)")
        }
        let bare = text.filter { !$0.isWhitespace }
        #expect(bare.contains(grant.document.signature.map { String(format: "%02x", $0) }.joined()))
        #expect(try await cast.grants.verdict(on: grant.id).verdict == .valid)
        #expect(try await cast.grants.verdict(on: grant.id, fileWith: grant.document.sha256).verdict == .valid)
        #expect(try await cast.grants.grant(ofFileWith: grant.document.sha256)?.id == grant.id)
    }

    @Test func `names in any script and both languages are on the paper`() async throws {
        for (name, language) in [
            ("Γιώργος Παπαδόπουλος", LicenceLanguage.german), ("Екатерина Иванова", .english), ("张伟", .german),
            ("محمد", .english), ("Jürgen Groß", .german),
        ] {
            for template in [LicenceTemplate.mp3, .exclusive] {
                let grant = try await cast.grants.issue(
                    cast.draft(template, in: language) { $0.licensee.name = name }, key: cast.key)
                let pdf = try await cast.grants.paper(of: grant.id)
                #expect(try ExternalProgram("qpdf").run(["--check", cast.path(pdf, "paper.pdf")]).status == 0)
                let text = try cast.text(of: pdf).precomposedStringWithCompatibilityMapping
                for word in name.precomposedStringWithCompatibilityMapping.split(separator: " ") {
                    #expect(text.contains(word), "\(word)")
                }
                #expect(text.contains(language == .german ? "keine Rechtsberatung" : "no legal advice"))
            }
        }
    }

    @Test func `an order has one grant, however often and by how many it is asked for`() async throws {
        let draft = try await cast.draft()
        let (grants, key) = (cast.grants, cast.key)
        let issued = try await withThrowingTaskGroup(of: Grant.self) { group in
            for _ in 0..<12 { group.addTask { try await grants.issue(draft, key: key) } }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(issued.count == 1)
        // Whatever the seller has changed since.
        var later = draft
        later.licensee.name = "Somebody Else"
        later.terms.price = .free
        later.files = []
        #expect(try await grants.issue(later, key: GrantKey.renew(cast.folder.path("licence-key"))) == issued.first)
        #expect(try await grants.grant(ofOrder: draft.order) == issued.first)
        #expect(try await grants.grant(ofOrder: HubID()) == nil)
    }

    @Test func `the same order is the same file, byte for byte, in another library too`() async throws {
        let other = try GrantCast()
        let (order, work) = (HubID(), HubID())
        let here = try await cast.draft(order: order, work: work)
        var there = try await other.draft(order: order, work: work)
        // The text has an id of its own in each library; the paper names its hash.
        let first = try await cast.grants.issue(here, key: cast.key)
        there.text = try await other.texts.template(.wav, in: .english).id
        let second = try await other.grants.issue(there, key: cast.key)
        #expect(first.id == second.id && first.says.body == second.says.body)
        // And drawn again from nothing, with the very same values, it has the same signatures.
        try await other.change(
            """
            DROP TRIGGER licenceTextsStay; DROP TRIGGER grantsAreKept; DROP TRIGGER grantPapersAreKept;
            DELETE FROM grantPapers; DELETE FROM grants; UPDATE licenceTexts SET id = '\(here.text)';
            """)
        let third = try await other.grants.issue(here, key: cast.key)
        #expect(third.document == first.document)
        #expect(try await other.grants.paper(of: third.id) == cast.grants.paper(of: first.id))
    }

    @Test func `a work is sold exclusively once, and earlier licences stay and are named`() async throws {
        let work = HubID()
        let lease = try await cast.grants.issue(cast.draft(work: work), key: cast.key)
        let back = try await cast.grants.issue(cast.draft(.mp3, work: work), key: cast.key)
        _ = try await cast.grants.end(back.id, why: .refunded)
        #expect(try await cast.grants.standing(work).map(\.id) == [lease.id])
        let exclusive = try await cast.grants.issue(cast.draft(.exclusive, work: work), key: cast.key)
        let text = try cast.text(of: await cast.grants.paper(of: exclusive.id))
        let mark = FileDigest.sha256(of: lease.id.text).prefix(16)
        #expect(text.contains("Earlier licences, which stay valid") && text.contains(mark))
        #expect(!text.contains(lease.id.text), "the id opens a paper that names another buyer")
        #expect(!text.contains(back.id.text) && !text.contains("Bob Jones Bob Jones"))
        await #expect(throws: GrantRefusal.soldExclusively(exclusive.id)) {
            try await cast.grants.issue(cast.draft(.exclusive, work: work), key: cast.key)
        }
        #expect(try await cast.grants.verdict(on: lease.id).grant.isInForce(at: GrantCast.start))
        #expect(
            try await cast.library.reading { try GrantStore.exclusive(of: work, at: GrantCast.start, in: $0) }
                == exclusive.id)
        // A lease that was paid before is delivered after.
        _ = try await cast.grants.issue(cast.draft(work: work), key: cast.key)
        // Whose money goes back holds it no more.
        _ = try await cast.grants.end(exclusive.id, why: .refunded)
        _ = try await cast.grants.issue(cast.draft(.exclusive, work: work), key: cast.key)
    }

    @Test func `of many who deliver the exclusive licence of a work one does`() async throws {
        let work = HubID()
        var drafts: [GrantDraft] = []
        for _ in 0..<8 { drafts.append(try await cast.draft(.exclusive, work: work)) }
        let (grants, key) = (cast.grants, cast.key)
        let count = try await withThrowingTaskGroup(of: Int.self) { group in
            for draft in drafts {
                group.addTask {
                    do throws(GrantRefusal) {
                        _ = try await grants.issue(draft, key: key)
                        return 1
                    } catch {
                        guard case .soldExclusively = error else { throw error }
                        return 0
                    }
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(count == 1)
        #expect(try await grants.standing(work).count == 1)
    }

    @Test func `papers of an old key stay valid when another has begun`() async throws {
        let path = cast.folder.path("licence-key")
        let old = try await cast.grants.issue(cast.draft(), key: cast.key)
        let new = try await cast.grants.issue(cast.draft(), key: GrantKey.renew(path))
        #expect(old.document.key != new.document.key)
        #expect(try await cast.grants.keys().count == 2)
        for grant in [old, new] { #expect(try await cast.grants.verdict(on: grant.id).verdict == .valid) }
    }

    @Test func `a changed file fails at the address, and so does what was changed in the tables`() async throws {
        let grant = try await cast.grants.issue(cast.draft(), key: cast.key)
        var pdf = try await cast.grants.paper(of: grant.id)
        pdf[pdf.count / 2] ^= 1
        let digest = try ExternalProgram("sha256sum").run([cast.path(pdf, "changed.pdf")]).text.prefix(64)
        #expect(try await cast.grants.verdict(on: grant.id, fileWith: String(digest)).verdict == .changed)
        #expect(try await cast.grants.grant(ofFileWith: String(digest)) == nil)
        try await cast.change("DROP TRIGGER grantPapersStay; UPDATE grantPapers SET pdf = zeroblob(length(pdf))")
        #expect(try await cast.grants.verdict(on: grant.id).verdict == .changed)
        try await cast.change(
            "DROP TRIGGER grantsStay; UPDATE grants SET statement = CAST(replace(statement, 'Bob Jones', 'Eve Jones') AS BLOB)"
        )
        #expect(try await cast.grants.verdict(on: grant.id, fileWith: grant.document.sha256).verdict == .changed)
        try await cast.change(
            """
            INSERT INTO grantKeys (id, bytes, since) VALUES ('0000000000000000', zeroblob(32), 0);
            UPDATE grants SET signer = '0000000000000000';
            """)
        #expect(try await cast.grants.verdict(on: grant.id).verdict == .unknownKey)
    }

    @Test func `the database itself keeps grants, papers and keys`() async throws {
        let grant = try await cast.grants.issue(cast.draft(.exclusive), key: cast.key)
        _ = try await cast.grants.end(grant.id, why: .ended)
        for sql in [
            "DELETE FROM grants", "DELETE FROM grantPapers", "DELETE FROM grantKeys",
            "UPDATE grantPapers SET pdf = x'00'",
            "UPDATE grantKeys SET since = 0", "UPDATE grants SET sha256 = '\(String(repeating: "0", count: 64))'",
            "UPDATE grants SET licence = 'x'", "UPDATE grants SET statement = x'00'",
            "UPDATE grants SET ended = NULL, why = NULL",
            "UPDATE grants SET ended = 1", "UPDATE grants SET kind = 'lease'",
            "INSERT OR REPLACE INTO grantPapers SELECT grantID, x'00' FROM grantPapers",
            "INSERT OR REPLACE INTO grantKeys SELECT id, zeroblob(32), 0 FROM grantKeys",
        ] {
            await #expect(throws: (any Error).self, "\(sql)") { try await cast.change(sql) }
        }
        #expect(try await cast.grants.verdict(on: grant.id).verdict == .valid)
    }

    @Test func `what has ended stays on paper, and ends once`() async throws {
        let grant = try await cast.grants.issue(cast.draft(), key: cast.key)
        let ended = try await cast.grants.end(grant.id, why: .refunded)
        #expect(
            ended.ending?.at == GrantCast.start && ended.ending?.why == .refunded
                && !ended.isInForce(at: GrantCast.start))
        #expect(try await cast.grants.end(grant.id, why: .notTheirs) == ended)
        #expect(try await cast.grants.verdict(on: grant.id).verdict == .valid)
        await #expect(throws: GrantRefusal.noSuchGrant) { try await cast.grants.end(HubID(), why: .ended) }
    }

    @Test func `a licence of some years ends on the same day, and one without does not`() async throws {
        // 29 February 2028.
        let leap = Date(timeIntervalSince1970: 1_835_395_200)
        let grant = try await cast.grants.issue(
            cast.draft {
                $0.sold = leap
                $0.terms.limits.years = 1
            }, key: cast.key)
        #expect(grant.expires == Date(timeIntervalSince1970: 1_866_931_200))  // 28 February 2029
        #expect(grant.isInForce(at: leap) && !grant.isInForce(at: Date(timeIntervalSince1970: 1_866_931_200)))
        #expect(try await cast.grants.issue(cast.draft(.unlimited), key: cast.key).expires == nil)
    }

    @Test func `an exclusive licence whose time is over can be followed by another`() async throws {
        let work = HubID()
        let first = try await cast.grants.issue(
            cast.draft(.exclusive, work: work) {
                $0.sold = GrantCast.start.addingTimeInterval(-2 * 366 * 86_400)
                $0.terms.limits.years = 1
            }, key: cast.key)
        let second = try await cast.grants.issue(cast.draft(.exclusive, work: work), key: cast.key)
        #expect(try await cast.grants.standing(work).map(\.id) == [second.id])
        #expect(try await cast.grants.grant(first.id).ending?.why == .expired)
    }

    @Test func `what cannot be put on paper is refused, and nothing is written`() async throws {
        let cases: [(GrantField, GrantFault, (inout GrantDraft) -> Void)] = [
            (.licensee, .missing, { $0.licensee.name = " \u{202E}\u{0} " }),
            (.licensor, .tooLong(most: 120), { $0.licensor.name = String(repeating: "x", count: 10_000) }),
            (.title, .tooLong(most: 120), { $0.title = String(repeating: "👨‍👩‍👧‍👦", count: 100) }),
            (.licence, .unknown, { $0.licence = "a\nb" }), (.terms, .unknown, { $0.terms.price = .offer }),
            (.files, .missing, { $0.files = [] }),
            (
                .files, .unknown,
                { $0.files = [GrantFile(name: "x", bytes: -1, sha256: String(repeating: "0", count: 64))] }
            ),
            (.files, .unknown, { $0.files = [GrantFile(name: "x", bytes: 1, sha256: "abc")] }),
            (
                .files, .tooLong(most: GrantDraft.mostFiles),
                { $0.files = Array(repeating: $0.files[0], count: GrantDraft.mostFiles + 1) }
            ),
            (.sold, .unknown, { $0.sold = .distantPast }),
            (.sold, .unknown, { $0.sold = Date(timeIntervalSince1970: .nan) }),
        ]
        for (field, fault, change) in cases {
            await #expect(throws: GrantRefusal.fields([field: fault])) {
                try await cast.grants.issue(cast.draft(.wav, change), key: cast.key)
            }
        }
        await #expect(throws: GrantRefusal.noSuchText) {
            try await cast.grants.issue(cast.draft { $0.text = HubID() }, key: cast.key)
        }
        #expect(try await cast.library.reading { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM grants") } == 0)
        await #expect(throws: GrantRefusal.noSuchGrant) { try await cast.grants.grant(HubID()) }
        await #expect(throws: GrantRefusal.noSuchGrant) { try await cast.grants.paper(of: HubID()) }
    }

    @Test func `as many files as there may be, with the longest names, are all on the paper`() async throws {
        let name = String(repeating: "文", count: GrantDraft.longestName - 3)
        let files = (100..<100 + GrantDraft.mostFiles).map {
            GrantFile(name: "\(name)\($0)", bytes: 42_336_044, sha256: String(repeating: "ab", count: 32))
        }
        let grant = try await cast.grants.issue(cast.draft { $0.files = files }, key: cast.key)
        #expect(grant.says.files == files)
        #expect(try await cast.grants.grant(grant.id) == grant)
        let text = try cast.text(of: await cast.grants.paper(of: grant.id)).filter { !$0.isWhitespace }
        #expect(text.matches(of: #/42,336,044/#).count == GrantDraft.mostFiles)
    }

    @Test func `hostile names are on the paper without what turns or hides letters`() async throws {
        let grant = try await cast.grants.issue(
            cast.draft {
                $0.licensee.name = "Bob\u{202E}\u{0}\u{7} {licensor} <b>%s"
                $0.title = "x\n\n# Heading"
            }, key: cast.key)
        #expect(grant.says.licensee == "Bob {licensor} <b>%s" && grant.says.title == "x # Heading")
        #expect(try cast.text(of: await cast.grants.paper(of: grant.id)).contains("Bob {licensor} <b>%s"))
    }

    @Test func `an export has both sides of what somebody sold and bought`() async throws {
        let (ann, bob) = try await cast.people()
        let grant = try await cast.grants.issue(
            cast.draft {
                $0.licensor.account = ann
                $0.licensee.account = bob
            }, key: cast.key)
        #expect(try await cast.grants.grants(of: ann, as: .licensor).map(\.id) == [grant.id])
        #expect(try await cast.grants.grants(of: bob, as: .licensee).map(\.id) == [grant.id])
        #expect(try await cast.grants.grants(of: bob, as: .licensor).isEmpty)
        for (person, side) in [(ann, "licensor"), (bob, "licensee")] {
            let documents = try await cast.library.export(of: person).documents
            let document = try #require(documents.first { $0.name == "licences.json" })
            let text = String(decoding: document.bytes, as: UTF8.self)
            #expect(text.contains(grant.id.text) && text.contains("\"side\" : \"\(side)\""))
        }
    }
}
