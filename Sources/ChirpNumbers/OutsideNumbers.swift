/// The one way from text of strangers to a number: a query, a path, a header, a form, a JSON field, a file that they sent.
///
/// What comes out is in a range that the caller states, so that nothing computed with it overflows. The range is one of 32 bits by its
/// type, and the number has 64: two billion of them can be added, and any two multiplied. Numbers that need more have types of their own:
/// a place in a list is a ``PageCursor``, which nobody computes with; sizes, money, scores and instants check or saturate what they add.
extension StringProtocol {
    /// The whole number that this is in decimal digits, with or without a sign.
    ///
    /// - Returns: nil for what is no such number or beyond the range, however many digits it has.
    package func integer(in range: ClosedRange<Int32>) -> Int? {
        guard let number: Int = readNumber(String(self)),
            (Int(range.lowerBound)...Int(range.upperBound)).contains(number)
        else { return nil }
        return number
    }

    /// The number that this is, as in `-12.5` or `1e-3`.
    ///
    /// - Parameter range: finite.
    /// - Returns: nil for what is no number, is not finite, or is beyond the range.
    package func decimal(in range: ClosedRange<Double>) -> Double? {
        guard let number: Double = readNumber(String(self)), number.isFinite, range.contains(number) else { return nil }
        return number
    }

    /// The number that this is, however great: one that is handed on and not computed with.
    ///
    /// - Returns: nil for what is no number, or not finite.
    package var finite: Double? { decimal(in: -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude) }

    /// The number of a row of a table that this is: 0 to 2^53, which no table reaches. A thousand of them can be added, or one multiplied
    /// by a thousand.
    ///
    /// - Returns: nil for everything else.
    package var safeInteger: Int64? {
        guard let number: Int64 = readNumber(String(self)), (0...PageCursor.most).contains(number) else { return nil }
        return number
    }
}

extension StringProtocol {
    /// The fraction with these bits, written as a whole number in decimal digits: so cursors keep one exactly.
    ///
    /// - Returns: nil for what is no such number, or not finite.
    package var fractionOfBits: Double? {
        guard let bits: UInt64 = readNumber(String(self)) else { return nil }
        let number = Double(bitPattern: bits)
        return number.isFinite ? number : nil
    }
}

/// By the protocol, since the initialisers themselves are closed (`ClosedConversions.swift`).
func readNumber<Number: LosslessStringConvertible>(_ text: String) -> Number? { Number(text) }
