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
        ]
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
        let expires, ended: Date?
        let why: String?

        init(_ grant: Grant, _ person: AccountID) {
            id = grant.id.text
            side = grant.licensor == person ? "licensor" : "licensee"
            statement = String(decoding: grant.document.statement, as: UTF8.self)
            (expires, ended, why) = (grant.expires, grant.ending?.at, grant.ending?.why.rawValue)
        }
    }
}
