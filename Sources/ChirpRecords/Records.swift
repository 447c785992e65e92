package import ChirpCommunity

/// The board of challenges and records.
package enum Records {
    /// Its name, and the address that it is at.
    package static let board = "challenges"
    /// What its items are.
    package static let kind = "challenge"

    /// What the board keeps in a library.
    package static let tables = BoardTables(
        name: board,
        steps: RuleSchema.steps + AttemptSchema.steps + VerdictSchema.steps + HoldSchema.steps + NewsSchema.steps
            + VisitSchema.steps + MergerSchema.steps + MediaSchema.steps + AnnouncementSchema.steps
            + [BoardTables.votes(on: board)] + TrySchema.steps + QuestionSchema.steps + StakeSchema.steps
            + PartSchema.steps + AttemptVoteSchema.steps + VisitSchema.announcing,
        notices: [.record, .verified, .rejected, .event], clipMentions: ["recordAnnouncements"],
        personal: { person, database in
            try RecordExport.documents(of: person, in: database) + TryExport.documents(of: person, in: database)
        },
        erase: { person, database in
            try StakeStore.forget(person, in: database)
            try HoldTable.forget(person, in: database)
            try RecordNews.forget(person, in: database)
            try AttemptStore.forgetQuestions(of: person, in: database)
        }, judges: { person, film, _, database in try AttemptStore.judges(person, film: film, in: database) })
}
