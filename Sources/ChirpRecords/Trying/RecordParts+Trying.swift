internal import ChirpWeb

extension RecordParts {
    /// The addresses of trying a challenge, and handing an attempt in.
    static func tryRoutes(_ desk: RecordDesk) -> [WebRoute] { HandInRoutes(desk: desk).routes }
}
