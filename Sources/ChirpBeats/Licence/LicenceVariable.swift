/// What a licence text may leave open: `{name}` in it is replaced when it is sold.
package enum LicenceVariable: String, Hashable, Sendable, CaseIterable {
    case licensor, licensee
    /// The title of what is licensed.
    case work
    /// The name of the licence, as in the shop.
    case licence
    case order, date, amount, files, copies, streams, time, territory, credit, profit

    /// A text that does not name these is no contract.
    package static let needed: [LicenceVariable] = [.licensor, .licensee, .work]
}
