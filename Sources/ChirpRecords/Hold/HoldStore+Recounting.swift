package import GRDB

extension HoldStore {
    /// Writes down anew who holds what, from the attempts at some rules: for who has written attempts by themselves, many at once.
    ///
    /// - Parameter rules: ``Rule/id``.
    package static func recount(_ rules: some Sequence<Int64>, in database: Database) throws {
        for id in rules {
            guard let rule = try Rule.rule(id, in: database) else { continue }
            try HoldTable.rebuild(id, rule.terms, in: database)
        }
    }
}
