package import ChirpAccounts
package import ChirpCommunity
package import ChirpDatabase
internal import FoundationEssentials
package import GRDB

/// What licences and grants add to the board's tables.
package enum LicenceParts {
    package static let steps: [SchemaStep] = LicenceSchema.steps + GrantSchema.steps

    /// What they hold of one person, for her export: the texts that she has written, and both sides of what she has sold and bought.
    package static func documents(
        of person: AccountID, in database: Database
    ) throws -> [PersonalExport.Document] {
        let texts = try Row.fetchAll(
            database.cachedStatement(
                sql: "SELECT \(LicenceTextVersion.columns) FROM licenceTexts WHERE account = ? ORDER BY sequence"),
            arguments: [person]
        ).map { TextEntry(try LicenceTextVersion($0)) }
        let grants = try GrantStore.grants("? IN (licensor, licensee) ORDER BY sequence", [person], in: database)
        return [
            try PersonalExport.document("licence-texts.json", texts),
            try PersonalExport.document("licences.json", grants.map { GrantEntry($0, person) }),
        ] + grants.map(paper) + files(of: grants, boughtBy: person)
    }

    /// As it was issued. There may be thousands.
    private static func paper(_ grant: Grant) -> PersonalExport.Document {
        let id = grant.id
        return PersonalExport.Document(
            name: "licences/\(id.text).pdf", .row { try GrantStore.paper(of: id, in: $0) })
    }

    /// What she has bought and may fetch, each once, by its hash: its names are in the statements.
    private static func files(of grants: [Grant], boughtBy person: AccountID) -> [PersonalExport.Document] {
        var seen: Set<KeptFile> = []
        return grants.filter { $0.licensee == person && $0.ending == nil }.flatMap(\.says.files).compactMap { file in
            guard let kept = KeptFile(sha256: file.sha256, bytes: file.bytes), seen.insert(kept).inserted else {
                return nil
            }
            return PersonalExport.Document(
                name: "bought/\(kept.sha256).\(file.name.hasSuffix(".wav") ? "wav" : "mp3")", .kept(kept))
        }
    }

    /// Removes what somebody who is erased has written and not sold. What was sold is a contract with somebody else, and stays.
    package static func forget(_ person: AccountID, in database: Database) throws {
        try database.cachedStatement(
            sql: """
                DELETE FROM licenceTexts
                WHERE account = ? AND NOT EXISTS (SELECT 1 FROM grants WHERE text = licenceTexts.sequence)
                """
        ).execute(arguments: [person])
    }

    private struct TextEntry: Encodable {
        let id, line: String
        let version: Int
        let language, title, body: String
        let made: Date

        init(_ text: LicenceTextVersion) {
            (id, line, version, made) = (text.id.text, text.line, text.version, text.made)
            (language, title, body) = (text.text.language.rawValue, text.text.title, text.text.body)
        }
    }

    private struct GrantEntry: Encodable {
        let id, side: String
        /// As it was signed.
        let statement: String
        /// Base 64; the key by its id, whose public part is at the hub's page of keys.
        let signature, seal, key: String
        /// Of the paper.
        let sha256: String
        let expires, ended: Date?
        let why: String?

        init(_ grant: Grant, _ person: AccountID) {
            id = grant.id.text
            side = grant.licensor == person ? "licensor" : "licensee"
            statement = String(decoding: grant.document.statement, as: UTF8.self)
            let document = grant.document
            (key, sha256) = (document.key, document.sha256)
            signature = Data(document.signature).base64EncodedString()
            seal = Data(document.seal).base64EncodedString()
            (expires, ended, why) = (grant.expires, grant.ending?.at, grant.ending?.why.rawValue)
        }
    }
}
