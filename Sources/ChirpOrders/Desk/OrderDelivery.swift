package import GRDB

/// Whoever brings what was paid to its buyer: in a board, a message with the file and the licence.
package protocol OrderDelivery: Sendable {
    /// Makes what is delivered, which may take its time. It may be called again, at the same order, when a process has died in between.
    ///
    /// - Returns: what hands it over. It is called in the transaction in which the order becomes delivered, so it happens once; it must do
    ///   nothing but write to that database.
    func prepare(_ order: Order) async throws -> @Sendable (Database) throws -> Void
}
