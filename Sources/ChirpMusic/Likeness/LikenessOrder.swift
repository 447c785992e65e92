/// In which order what sounds alike is shown.
package enum LikenessOrder {
    /// The works of others first, then the seller's own; within both as before, the nearest first. A list of what sounds alike is no place to advertise
    /// (AR-10).
    ///
    /// - Parameter isOwn: whether a candidate is of the seller whose work is looked at.
    package static func othersFirst<Candidate>(
        _ candidates: [Candidate], isOwn: (Candidate) -> Bool
    ) -> [Candidate] {
        var (others, own): ([Candidate], [Candidate]) = ([], [])
        for candidate in candidates {
            if isOwn(candidate) { own.append(candidate) } else { others.append(candidate) }
        }
        return others + own
    }
}
