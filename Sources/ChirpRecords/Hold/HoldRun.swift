/// A part of one area's history that is long enough to say what one attempt more, or one less, makes of it.
///
/// An attempt that has held nothing never changes who holds what: something as good had come before it, and what beats that beats it too.
/// So the fold of those that have held makes the same as the fold of all, with another attempt as well; and when one goes that has held,
/// only what came while it held can take its place.
package struct HoldRun: Hashable, Sendable {
    package let area: RecordArea
    /// Those that have held it, one after the other.
    package let entries: [VerifiedAttempt]
    /// When the last of them was beaten, in ms; nil: it holds.
    package let end: Int64?

    /// With one attempt more.
    ///
    /// - Parameter attempt: beaten by the last entry, if that was beaten itself.
    package func with(_ attempt: VerifiedAttempt, _ terms: RuleTerms) -> HoldRun {
        HoldRun(area: area, entries: HoldFold.run(entries + [attempt], terms), end: end)
    }

    /// Without one that has held.
    ///
    /// - Parameter others: of the area all that came while it held and are better than what had been held before. The rest may be left
    ///   out.
    package func without(
        _ attempt: Int64, among others: some Sequence<VerifiedAttempt>, _ terms: RuleTerms
    ) -> HoldRun {
        HoldRun(
            area: area, entries: HoldFold.run(entries.filter { $0.sequence != attempt } + others, terms), end: end)
    }

    package var holds: [Hold] {
        entries.indices.map { index in
            Hold(
                area: area, attempt: entries[index].sequence, from: entries[index].received,
                until: index + 1 < entries.count ? entries[index + 1].received : end)
        }
    }
}
