package import ChirpAccounts
package import ChirpCommunity
internal import ChirpFiles
package import FoundationEssentials
internal import GRDB

/// A licence text as it was written once, and never changes.
package struct LicenceTextVersion: Hashable, Sendable, Identifiable {
    package let id: HubID
    /// What it is a version of: the same for all that supersede one another.
    package let line: String
    /// From 1.
    package let version: Int
    /// Nil for templates, and whose account is gone.
    package let account: AccountID?
    package let text: LicenceText
    /// Of language, title and body, lower-case hexadecimal: what contracts name the text by.
    package let sha256: String
    package let made: Date

    static let columns = "id, line, version, account, language, title, body, sha256, made"

    init(_ row: Row) throws {
        let (id, language): (String, String) = (row["id"], row["language"])
        guard let id = HubID(id), let language = LicenceLanguage(rawValue: language) else {
            throw LicenceRefusal.library(.inputOutput(path: "licences", reason: "a text has no id or no language"))
        }
        (self.id, line, version, account) = (id, row["line"], row["version"], row["account"])
        do throws(LicenceText.Fault) {
            text = try LicenceText(title: row["title"], body: row["body"], language: language)
        } catch {
            throw LicenceRefusal.library(
                .inputOutput(path: "licences", reason: "the text \(id) cannot be read: \(error)"))
        }
        sha256 = row["sha256"]
        made = Accounts.date(row["made"])
    }

    static func sha256(of text: LicenceText) -> String {
        FileDigest.sha256(of: "\(text.language.rawValue)\n\(text.title)\n\(text.body)")
    }
}
