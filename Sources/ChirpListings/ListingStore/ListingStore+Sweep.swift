internal import ChirpAccounts
internal import ChirpCommunity
package import FoundationEssentials
internal import GRDB

extension ListingStore {
    /// So many seconds before its end an author is told of it (LF-13).
    package static let warning = 7 * 24 * 3600.0

    /// What a sweep has done.
    package struct SweepReport: Hashable, Sendable {
        package var told = 0
        package var expired = 0

        package init() {}
    }

    /// Ends what has had its time, and tells authors of what ends soon. May be repeated, also while another process sweeps.
    package func sweep(at now: Date) async throws -> SweepReport {
        var report = SweepReport()
        report.expired = try await expire(at: now)
        report.told = try await warn(at: now)
        return report
    }

    /// At most so many in one transaction, so that others come in between.
    private static let batch = 200

    private func expire(at now: Date) async throws -> Int {
        var count = 0
        while true {
            let ended = try await library.transact { [library] database in
                let ids = try Self.ids("expires <= ?", [Accounts.milliseconds(now)], in: database)
                for id in ids {
                    do {
                        try Items.move(
                            id, from: [.open, .draft], to: .expired, by: nil, library: library, in: database)
                    } catch is ItemRefusal {
                        // It has come to its end in another way, or a case holds it until it is decided.
                    }
                    try database.cachedStatement(sql: "UPDATE listings SET isOpen = 0 WHERE item = ?").execute(
                        arguments: [id.text])
                }
                return ids.count
            }
            count += ended
            if ended < Self.batch { return count }
        }
    }

    private func warn(at now: Date) async throws -> Int {
        let soon = Accounts.milliseconds(now.addingTimeInterval(Self.warning))
        var count = 0
        while true {
            let told = try await library.transact { [library] database in
                let ids = try Self.ids("expires <= ? AND told = 0", [soon], in: database)
                for id in ids {
                    try database.cachedStatement(sql: "UPDATE listings SET told = 1 WHERE item = ?").execute(
                        arguments: [id.text])
                    guard
                        let item = try Items.item(
                            id, board: Self.board, for: .owner, library: library, in: database), item.state == .open
                    else { continue }
                    // Each end is news: a renewed one is told of again.
                    let end = item.expires.map(Accounts.milliseconds) ?? 0
                    try Notice.add(
                        Notice.Draft(
                            account: item.author.id, kind: .ending, item: id, cause: "ending:\(id):\(end)"),
                        at: Accounts.milliseconds(now), in: database)
                }
                return ids.count
            }
            count += told
            if told < Self.batch { return count }
        }
    }

    private static func ids(
        _ condition: String, _ arguments: StatementArguments, in database: Database
    ) throws -> [HubID] {
        try String.fetchAll(
            database,
            sql: "SELECT item FROM listings WHERE isOpen = 1 AND \(condition) ORDER BY expires LIMIT \(batch)",
            arguments: arguments
        ).compactMap { HubID($0) }
    }
}
