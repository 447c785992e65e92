extension BoardTables {
    /// All boards, for a program that has none of them and opens a library in which they may have tables. It makes none and
    /// leaves those there are alone; keys and triggers in the library keep them whole. It is not for programs that remove
    /// accounts or back libraries up.
    ///
    /// The names say which steps are of this release, so that a library of a later one is refused here as everywhere.
    package static let absent = BoardTables(
        name: "absent", steps: [],
        known: [
            "alerts-001", "announcements-001", "announcements-002", "announcements-003", "announcements-004",
            "attemptMedia-001", "attemptMedia-002", "attemptParts-001", "attemptVotes-001", "beatRoles-001",
            "beats-001", "beats-auction-001", "beats-auction-002", "beats-auction-003", "beats-connection-001",
            "beats-grant-001", "beats-licence-001", "beats-offer-001", "beats-print-001", "beats-print-002",
            "beats-print-003", "beats-request-001", "beats-request-002", "beats-sale-001", "beats-sale-002",
            "beats-sale-003", "beats-stems-001", "beats-tags-001", "claims-001", "listings-001", "matches-001",
            "orders-001", "orders-002", "orders-003", "records-001", "records-002", "records-003", "records-004",
            "records-005", "records-006", "records-007", "stakes-001", "trying-001", "trying-002", "votes-on-beats-001",
            "votes-on-challenges-001",
        ], clipMentions: ["recordAnnouncements"])
}
