package import ChirpAccounts
package import ChirpDatabase
package import GRDB

/// What a board keeps in the library beside the library's own tables.
///
/// Every opening of a library is given those of all boards, whether they are shown or not: a library with tables that nobody knows
/// is taken for a newer one and left alone.
package struct BoardTables: Sendable {
    /// The board's, as in `lost-and-found`.
    package let name: String
    /// Its tables, which refer to `items (id)` and `accounts (id)` with `ON DELETE CASCADE`, so that they hold nothing of whom has gone.
    package let steps: [SchemaStep]
    /// Steps that it leaves to others, by name: a library that has taken them is none of a later release (``absent``).
    package let known: Set<String>
    /// What they hold of one person, for her export: documents with names of their own, as in `claims.json`.
    package let personal: @Sendable (_ person: AccountID, _ database: Database) throws -> [PersonalExport.Document]

    /// What has to be rewritten when somebody is erased, because it follows from rows of hers and of others: called within that
    /// transaction, before her rows go by their references.
    package let erase: @Sendable (_ person: AccountID, _ database: Database) throws -> Void

    /// Whether somebody judges what a film was sent with, at an instant in ms: then she may see it without the timer that others see. Asked of
    /// active accounts that are neither its owner nor moderators.
    package let judges:
        @Sendable (_ account: AccountID, _ film: HubID, _ now: Int64, _ database: Database) throws -> Bool

    /// The files that it keeps by what they hold (``KeptFile``), each once or more: what a backup takes along and a check looks for. A library of an
    /// earlier release may have none of the board's tables.
    package let files: @Sendable (_ database: Database) throws -> [KeptFile]

    /// Those of its tables that say something of a clip and keep none. Every other one that refers to clips keeps what it has: the end of another
    /// use, such as a post, removes no clip that a board still has.
    package let clipMentions: Set<String>

    /// Of what it tells that nobody else does (``Notice/Kind/ofBoards``).
    package let notices: [Notice.Kind]

    package init(
        name: String, steps: [SchemaStep], known: Set<String> = [], notices: [Notice.Kind] = [],
        clipMentions: Set<String> = [],
        personal: @escaping @Sendable (_ person: AccountID, _ database: Database) throws -> [PersonalExport.Document] =
            { _, _ in [] },
        erase: @escaping @Sendable (_ person: AccountID, _ database: Database) throws -> Void = { _, _ in },
        judges:
            @escaping @Sendable (_ account: AccountID, _ film: HubID, _ now: Int64, _ database: Database) throws ->
            Bool = { _, _, _, _ in false },
        files: @escaping @Sendable (_ database: Database) throws -> [KeptFile] = { _ in [] }
    ) {
        self.name = name
        self.steps = steps
        self.known = known
        self.notices = notices
        self.clipMentions = clipMentions
        self.personal = personal
        self.erase = erase
        self.judges = judges
        self.files = files
    }
}

extension [BoardTables] {
    /// The files that boards keep, each once, in the order of their names.
    package func files(in database: Database) throws -> [KeptFile] {
        Set(try flatMap { try $0.files(database) }).sorted { $0.sha256 < $1.sha256 }
    }
}
