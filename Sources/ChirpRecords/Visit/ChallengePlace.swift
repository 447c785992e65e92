/// The five places of the board, in the order in which they stand (OU-18).
package enum ChallengePlace: String, Hashable, Sendable, CaseIterable {
    case local, global, notices, saved, profile

    /// Where it is.
    ///
    /// - Parameter handle: whose profile it is; nil: a visitor, who has neither notices nor a profile, and saves nothing.
    package func path(_ handle: String?) -> String? {
        switch (self, handle) {
        case (.local, _): "/\(Records.board)?feed=local"
        case (.global, _): "/\(Records.board)"
        case (.notices, _?): "/notices"
        case (.saved, _?): "/\(Records.board)/saved"
        case (.profile, let handle?): "/@\(handle)"
        case (_, nil): nil
        }
    }
}

/// The pages that somebody is shown once, before the board.
package enum ChallengeIntroduction {
    package static let pages = 1...3

    /// What comes after a page; nil: the board.
    package static func next(_ page: Int) -> Int? {
        page < pages.upperBound ? max(page, pages.lowerBound - 1) + 1 : nil
    }
}
