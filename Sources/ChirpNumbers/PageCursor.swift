/// Where a list goes on: the number of a row, behind or before which it is read (`after`, `before`, `max_id`, `Last-Event-ID`).
///
/// It is compared, asked for in SQL (`sequence > ?`) and written. It has no arithmetic, so that whatever number a stranger names ends no
/// program: nobody asks for `>= ?` of one more.
package struct PageCursor: Hashable, Comparable, Sendable, CustomStringConvertible, ExpressibleByIntegerLiteral {
    /// The greatest one: 2^53, which no table reaches, and which is exact in JSON too.
    package static let most: Int64 = 1 << 53

    /// Before every row.
    package static let start = PageCursor(0)
    /// Behind every row.
    package static let end = PageCursor(most)

    /// What is bound in a statement: 0 to ``most``.
    package let row: Int64

    /// - Parameter row: of a table; ``start`` and ``end`` for what is beyond them.
    package init(_ row: Int64) { self.row = min(max(row, 0), Self.most) }

    /// The place that a stranger names in digits; ``end`` for what is beyond it, as no row is there.
    ///
    /// - Returns: nil for what is no number, less than 0, or has more than 63 bits.
    package init?(_ text: some StringProtocol) {
        guard let row: Int64 = readNumber(String(text)), row >= 0 else { return nil }
        self.init(row)
    }

    package init(integerLiteral row: Int64) { self.init(row) }

    package var description: String { "\(row)" }

    package static func < (left: PageCursor, right: PageCursor) -> Bool { left.row < right.row }
}
