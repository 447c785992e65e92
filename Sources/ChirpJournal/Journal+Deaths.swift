internal import GRDB

// What a process has in hand while it may die of it. The mark is there before the work and gone after it, so one that is found by
// the next process is a death. Ends of any other kind, Ctrl-C among them, take the mark away.
extension Journal {
    /// After so many deaths a clip is set aside.
    public static let mostDeaths = 2

    /// Marks a clip as in hand, or takes the mark away.
    ///
    /// Written without a flush to the disk: the mark has to survive the process, and not the machine. That costs a hundredth of a
    /// write with one, on the way between post and sound.
    public func mark(play id: PlayID, as work: PlayRecord.Work?) async throws(JournalError) {
        try await writeQuickly {
            try $0.cachedStatement(sql: "UPDATE play SET inHand = ? WHERE id = ?").execute(arguments: [
                work?.rawValue, id,
            ])
        }
    }

    /// Counts the deaths that an earlier listener has left marks of. To be called under the lease that makes it certain that it is
    /// dead.
    ///
    /// Clips that were being fetched are the ones to blame, since those decode for the first time; one that was being heard had been
    /// decoded to its end before, so it is to blame only where nothing else was in hand.
    /// - Returns: the clips that are set aside thereby, and those that have one death and should be taken in hand alone.
    public func settleDeaths(
        because reason: String
    ) async throws(JournalError) -> (setAside: [PlayRecord], suspects: Set<PlayID>) {
        try await write { database in
            let held = try PlayRecord.filter(Column("inHand") != nil).fetchAll(database)
            let fetched = held.filter { $0.inHand == .fetch }
            for var play in held {
                if fetched.isEmpty || play.inHand == .fetch { play.deaths += 1 }
                play.inHand = nil
                if play.deaths >= Self.mostDeaths, PlayState.open.contains(play.state) {
                    play.state = .setAside
                    play.reason = reason
                }
                try play.update(database)
            }
            let ids = Set(held.map(\.id))
            let aside = try PlayRecord.filter(Column("state") == PlayState.setAside.rawValue).fetchAll(database)
            let suspects = try PlayID.fetchSet(
                database.cachedStatement(sql: "SELECT id FROM play WHERE deaths > 0 AND state IN (?, ?)"),
                arguments: [PlayState.queued, PlayState.playing])
            return (aside.filter { ids.contains($0.id) }, suspects)
        }
    }
}
