package import GRDB

/// One change of a module's tables, in SQL. A released step is never edited; the next one is added behind it.
package struct SchemaStep: Hashable, Sendable {
    /// The module and a number, as in `community-001`. Databases remember it.
    package let name: String
    package let sql: String

    package init(_ name: String, _ sql: String) {
        self.name = name
        self.sql = sql
    }
}

extension DatabaseMigrator {
    /// Steps only add, and rebuild what they change from its own rows; so what refers to rows is not looked through behind each of them, which
    /// takes minutes a step where a library has gigabytes, while nobody is served. `chirp hub check` does it when it is asked to.
    ///
    /// - Parameter steps: all there have ever been, oldest first.
    package init(_ steps: [SchemaStep]) {
        self = DatabaseMigrator().disablingDeferredForeignKeyChecks()
        for step in steps { registerMigration(step.name) { try $0.execute(sql: step.sql) } }
    }

    /// Takes the steps that a database has not seen, each in a transaction of its own. Blocks.
    ///
    /// - Parameter others: names of steps that belong to this release too, and are not taken here.
    /// - Throws: ``DatabaseFailure/Kind/superseded`` when it has seen steps that this release does not know; then nothing was
    ///   changed.
    package func bringUpToDate(
        _ database: some DatabaseWriter, leaving others: Set<String> = []
    ) throws(DatabaseFailure) {
        do {
            let isKnown = try database.read { try appliedIdentifiers($0).isSubset(of: others.union(migrations)) }
            guard isKnown else { throw DatabaseFailure(.superseded) }
            try migrate(database)
        } catch {
            throw DatabaseFailure(error)
        }
    }
}
