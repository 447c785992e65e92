/// The four digits that belong to one attempt: they are spoken, shown and played, so that an old recording is not taken for a new one.
package struct AttemptCode: Hashable, Sendable, CustomStringConvertible {
    /// Four, each 0...9.
    package let digits: [Int]

    /// - Parameter number: 0...9999; nil outside.
    package init?(_ number: Int) {
        guard (0...9999).contains(number) else { return nil }
        digits = [number / 1000, number / 100 % 10, number / 10 % 10, number % 10]
    }

    /// - Parameter text: four digits 0 to 9; nil for anything else.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == 4, bytes.allSatisfy({ (48...57).contains($0) }) else { return nil }
        digits = bytes.map { Int($0) - 48 }
    }

    package var number: Int { digits.reduce(0) { $0 * 10 + $1 } }

    /// The four digits.
    package var description: String { digits.map(String.init).joined() }

    /// The fifth digit that is played. Each weight has an inverse modulo ten, so that one wrong digit always changes it.
    package var check: Int { zip(digits, [1, 3, 7, 9]).reduce(0) { $0 + $1.0 * $1.1 } % 10 }

    /// What is played: the digits and the check digit.
    package var symbols: [Int] { digits + [check] }
}
