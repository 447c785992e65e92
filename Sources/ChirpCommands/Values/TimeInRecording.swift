/// A place in a recording as people write it: `0:02`, `1:02:03.5`, `1.5`, `90s`; to 10 ms, as clips are cut.
///
/// A bare number is seconds, as in the browser.
struct TimeInRecording: Hashable, Sendable {
    let duration: Duration

    /// From the beginning to 1,000,000 seconds behind it.
    init(_ text: String) throws(BadValue) {
        let problem = BadValue(text, needs: "a time in the recording, such as 0:02, 1.5 or 90s")
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let seconds: Double
        if parts.count == 1, text.last?.isLetter == true {
            seconds = try LengthOfTime(text).seconds
        } else {
            guard parts.count <= 3, let last = parts.last, let value = Self.number(last) else { throw problem }
            var total = 0.0
            for (index, part) in parts.dropLast().enumerated() {
                guard let number = Self.number(part), number == number.rounded(), index == 0 || number < 60 else {
                    throw problem
                }
                total = total * 60 + number
            }
            guard parts.count == 1 || value < 60 else { throw problem }
            seconds = total * 60 + value
        }
        guard seconds <= 1_000_000 else { throw problem }
        duration = .milliseconds(10 * Int((seconds * 100).rounded()))
    }

    /// Digits with at most one point among them.
    private static func number(_ text: Substring) -> Double? {
        guard text.first?.isNumber == true, text.utf8.count <= 20,
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E })
        else { return nil }
        return Double(text)
    }
}
