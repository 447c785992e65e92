package import ChirpAccounts
package import ChirpCommunity
internal import GRDB

/// The texts of licences in the library: templates, and what sellers have written.
package struct LicenceTextStore: Sendable {
    package let library: HubLibrary

    /// Lines of versions that somebody may have.
    package static let mostLines = 40
    /// Versions of one line.
    package static let mostVersions = 500

    package init(library: HubLibrary) { self.library = library }

    /// A text as a form has it.
    package struct Draft: Hashable, Sendable {
        package var title: String
        package var body: String
        package var language: LicenceLanguage

        package init(title: String, body: String, language: LicenceLanguage) {
            self.title = title
            self.body = body
            self.language = language
        }

        func text() throws(LicenceRefusal) -> LicenceText {
            do throws(LicenceText.Fault) { return try LicenceText(title: title, body: body, language: language) } catch
            {
                switch error {
                case .noTitle: throw .fields([.title: .missing])
                case .titleTooLong(let most): throw .fields([.title: .tooLong(most: most)])
                case .empty: throw .fields([.body: .missing])
                case .tooLong(let most): throw .fields([.body: .tooLong(most: most)])
                case .tooManyParagraphs(let most): throw .fields([.body: .tooMany(most: most)])
                default: throw .fields([.body: .text(error)])
                }
            }
        }
    }

    /// The newest version of a template's text. Where this release words it differently from what the library has, that is one more version.
    package func template(
        _ template: LicenceTemplate, in language: LicenceLanguage
    ) async throws(LicenceRefusal) -> LicenceTextVersion {
        do {
            let (text, line) = (try template.text(in: language), template.line(in: language))
            let sha256 = LicenceTextVersion.sha256(of: text)
            let known = try await library.reading { try Self.newest(of: line, in: $0) }
            if let known, known.sha256 == sha256 { return known }
            return try await library.transact { database in
                let known = try Self.newest(of: line, in: database)
                if let known, known.sha256 == sha256 { return known }
                return try add(text, to: line, version: (known?.version ?? 0) + 1, by: nil, in: database)
            }
        } catch { throw LicenceRefusal(error) }
    }

    /// Writes a text of one's own.
    package func create(_ draft: Draft, by account: AccountID) async throws(LicenceRefusal) -> LicenceTextVersion {
        let text = try draft.text()
        do {
            return try await library.transact { database in
                let now = Accounts.milliseconds(library.now())
                guard try AccountStanding(of: account, at: now, in: database)?.isActive == true else {
                    throw LicenceRefusal.noAccount
                }
                let lines = try Int.fetchOne(
                    database.cachedStatement(sql: "SELECT COUNT(DISTINCT line) FROM licenceTexts WHERE account = ?"),
                    arguments: [account])
                guard (lines ?? 0) < Self.mostLines else { throw LicenceRefusal.tooMany(most: Self.mostLines) }
                return try add(text, to: HubID().text, version: 1, by: account, in: database)
            }
        } catch { throw LicenceRefusal(error) }
    }

    /// Writes what supersedes one's own text. The same words again are no new version.
    ///
    /// - Parameter version: the newest that the writer has seen.
    package func supersede(
        _ line: String, version: Int, by draft: Draft, account: AccountID
    ) async throws(LicenceRefusal) -> LicenceTextVersion {
        let text = try draft.text()
        do {
            return try await library.transact { database in
                let now = Accounts.milliseconds(library.now())
                guard try AccountStanding(of: account, at: now, in: database)?.isActive == true else {
                    throw LicenceRefusal.noAccount
                }
                guard let known = try Self.newest(of: line, in: database), known.account == account else {
                    throw LicenceRefusal.noSuchText
                }
                if known.sha256 == LicenceTextVersion.sha256(of: text) { return known }
                guard known.version == version else { throw LicenceRefusal.changed(version: known.version) }
                guard version < Self.mostVersions else { throw LicenceRefusal.tooMany(most: Self.mostVersions) }
                return try add(text, to: line, version: version + 1, by: account, in: database)
            }
        } catch { throw LicenceRefusal(error) }
    }

    /// One version; also one that was superseded.
    package func version(_ id: HubID) async throws(LicenceRefusal) -> LicenceTextVersion {
        do {
            return try await library.reading { database in
                guard let found = try Self.version(id, in: database) else { throw LicenceRefusal.noSuchText }
                return found
            }
        } catch { throw LicenceRefusal(error) }
    }

    /// All versions of a line, newest first.
    package func versions(of line: String) async throws(LicenceRefusal) -> [LicenceTextVersion] {
        do {
            return try await library.reading { database in
                try Row.fetchAll(
                    database.cachedStatement(
                        sql: """
                            SELECT \(LicenceTextVersion.columns) FROM licenceTexts WHERE line = ? ORDER BY version DESC
                            """), arguments: [line]
                ).map(LicenceTextVersion.init)
            }
        } catch { throw LicenceRefusal(error) }
    }

    /// The newest version of each text that is somebody's own, the oldest line first.
    package func newest(by account: AccountID) async throws(LicenceRefusal) -> [LicenceTextVersion] {
        do {
            return try await library.reading { database in
                try Row.fetchAll(
                    database.cachedStatement(
                        sql: """
                            SELECT \(LicenceTextVersion.columns) FROM licenceTexts AS texts
                            WHERE account = ? AND version = (SELECT MAX(version) FROM licenceTexts WHERE line = texts.line)
                            ORDER BY sequence
                            """), arguments: [account]
                ).map(LicenceTextVersion.init)
            }
        } catch { throw LicenceRefusal(error) }
    }

    static func version(_ id: HubID, in database: Database) throws -> LicenceTextVersion? {
        try Row.fetchOne(
            database.cachedStatement(sql: "SELECT \(LicenceTextVersion.columns) FROM licenceTexts WHERE id = ?"),
            arguments: [id.text]
        ).map(LicenceTextVersion.init)
    }

    private static func newest(of line: String, in database: Database) throws -> LicenceTextVersion? {
        try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT \(LicenceTextVersion.columns) FROM licenceTexts WHERE line = ? ORDER BY version DESC LIMIT 1
                    """), arguments: [line]
        ).map(LicenceTextVersion.init)
    }

    private func add(
        _ text: LicenceText, to line: String, version: Int, by account: AccountID?, in database: Database
    ) throws -> LicenceTextVersion {
        let id = HubID()
        try database.cachedStatement(
            sql: """
                INSERT INTO licenceTexts (id, line, version, account, language, title, body, sha256, made)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(
            arguments: [
                id.text, line, version, account, text.language.rawValue, text.title, text.body,
                LicenceTextVersion.sha256(of: text), Accounts.milliseconds(library.now()),
            ])
        guard let written = try Self.version(id, in: database) else { throw LicenceRefusal.noSuchText }
        return written
    }
}
