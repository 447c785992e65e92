internal import GRDB

extension HubReader {
    /// What somebody is called now who was once called so; nil for nobody, and for who is not there for the viewer.
    package func handle(formerly handle: String) async throws(LibraryError) -> String? {
        let account = account
        return try await library.read { database in
            try String.fetchOne(
                database.cachedStatement(
                    sql: """
                        SELECT accounts.handle FROM formerHandles JOIN accounts ON accounts.id = formerHandles.account
                        WHERE formerHandles.handle = ? AND accounts.state IN ('active', 'suspended')
                            AND NOT EXISTS (SELECT 1 FROM blocks WHERE blocker = accounts.id AND blocked IS ?)
                        """), arguments: [handle.lowercased(), account])
        }
    }
}
