import ChirpBeats
import ChirpCommunity
import Foundation
import Testing

/// What is signed is read in one way alone.
@Suite struct GrantStatementTests {
    private let cast: GrantCast

    init() throws { cast = try GrantCast() }

    private func statement(_ change: (inout GrantDraft) -> Void = { _ in }) async throws -> GrantStatement {
        try await cast.grants.issue(cast.draft(order: HubID(), change), key: cast.key).says
    }

    @Test func `it says everything that was agreed on, in lines that people can read`() async throws {
        let statement = try await statement()
        let lines = String(decoding: statement.bytes, as: UTF8.self).split(separator: "\n").map(String.init)
        #expect(lines.first == GrantStatement.kind)
        for line in [
            "order 22:\(statement.order)", "work 22:\(statement.work)", "title 11:Night drive", "licence 9:licence-1",
            "licensor 9:Ann Smith", "licensee 9:Bob Jones", "amount 9:49.00 EUR", "sold 20:2027-01-15T08:00:00Z",
            "file 15:night-drive.wav", "file-bytes 8:42336044", "file-sha256 64:\(String(repeating: "0f", count: 32))",
            "body-sha256 64:\(statement.body)", "text-sha256 64:\(statement.textDigest)",
        ] {
            #expect(lines.contains(line), "\(line)")
        }
    }

    @Test func `what was written is read again, whatever the names are`() async throws {
        for name in ["Ann", "Γιώργος", "محمد الأحمد", "张伟", "a 3:b", "licensee 9:Bob Jones", "👩‍👩‍👧"] {
            let statement = try await statement {
                $0.licensee.name = name
                $0.title = name
                $0.terms.price = .free
            }
            #expect(GrantStatement(statement.bytes) == statement)
            #expect(statement.licensee == name)
        }
    }

    @Test func `nothing else is read`() async throws {
        let bytes = try await statement().bytes
        #expect(GrantStatement([]) == nil && GrantStatement(Array("chirp-grant-1\n".utf8)) == nil)
        #expect(GrantStatement(bytes + [10]) == nil && GrantStatement(bytes + bytes) == nil)
        for count in stride(from: 0, to: bytes.count, by: 7) {
            #expect(GrantStatement(Array(bytes.prefix(count))) == nil)
        }
        let text = String(decoding: bytes, as: UTF8.self)
        for (one, other) in [
            ("title 11:", "title 011:"), ("title 11:", "title 12:"), ("title 11:", "title 99999999999999999999:"),
            ("title 11:", "title -1:"), ("title 11:", "title 9223372036854775807:"),
            ("file-bytes 8:42336044", "file-bytes 8:04233604"),
            ("2027-01-15T08:00:00Z", "2027-01-15T09:00:00+"), ("amount 9:49.00 EUR", "amount 9:48.00 EUR"),
        ] {
            #expect(text.contains(one))
            #expect(GrantStatement(Array(text.replacing(one, with: other).utf8)) == nil, "\(other)")
        }
    }
}
