internal import ChirpWeb

extension RecordParts {
    /// The addresses of what waits for those who verify.
    static func queueRoutes(_ desk: RecordDesk) -> [WebRoute] { VerdictRoutes(desk: desk).routes }
}
