internal import ChirpWeb

extension RecordParts {
    /// The addresses of attempts.
    static func attemptRoutes(_ desk: RecordDesk) -> [WebRoute] {
        AttemptRoutes(desk: desk).routes + AttemptVoteRoutes(desk: desk).routes
    }
}
