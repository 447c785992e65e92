/// Finds what networks may take for a web address in a text, in order to count it as they do.
///
/// The grammar follows the behaviour of twitter-text 3 (also used by Mastodon): an address is a domain name under a known
/// top-level domain, with or without `http(s)://`, then port, path and query. Where this scan cannot tell whether a
/// network sees an address, or where it ends, the span is marked as uncertain and costs what the longer reading costs.
package struct LinkScan {
    package struct Span: Hashable {
        var range: Range<Int>
        enum Kind: Hashable {
            /// An address from end to end.
            case certain
            /// Perhaps an address as a whole: costs whichever is more, the address or its characters.
            case whole
            /// Perhaps holds an address: costs both.
            case part
        }
        var kind: Kind
        var hasScheme: Bool
    }

    private let scalars: [Unicode.Scalar]
    package private(set) var spans: [Span] = []

    package init(_ scalars: [Unicode.Scalar]) {
        self.scalars = scalars
        var index = 0
        while index < scalars.count {
            if let length = schemeLength(at: index) {
                let span = address(from: index, host: index + length, hasScheme: true)
                spans.append(span)
                index = span.range.upperBound
            } else if isHost(scalars[index]) {
                let end = hostEnd(from: index)
                if let span = bareAddress(index..<end) { spans.append(span) }
                index = max(spans.last.map(\.range.upperBound) ?? 0, end)
            } else {
                index += 1
            }
        }
    }

    /// The length of `http://` or `https://` in any case, if it stands here.
    private func schemeLength(at index: Int) -> Int? {
        guard scalars[index] == "h" || scalars[index] == "H" else { return nil }
        let head = String(String.UnicodeScalarView(scalars[index..<min(index + 8, scalars.count)])).lowercased()
        return head == "https://" ? 8 : head.hasPrefix("http://") ? 7 : nil
    }

    private func address(from start: Int, host: Int, hasScheme: Bool) -> Span {
        let end = hostEnd(from: host)
        guard end > host, isCertain(host..<end), precedes(start, bare: false), endsCleanly(end) else {
            // An address in another script, an address of numbers, or none: the scheme stands for it.
            return Span(range: start..<host, kind: .part, hasScheme: true)
        }
        return Span(range: start..<pathEnd(from: end), kind: .certain, hasScheme: true)
    }

    private func bareAddress(_ host: Range<Int>) -> Span? {
        let labels = labels(host)
        guard labels.dropFirst().contains(where: { $0.count >= 2 && $0.contains { !isASCIIDigit($0) } }) else {
            return nil
        }
        if isCertain(host), precedes(host.lowerBound, bare: true), endsCleanly(host.upperBound) {
            return Span(range: host.lowerBound..<pathEnd(from: host.upperBound), kind: .certain, hasScheme: false)
        }
        let isPlain = labels.count == 2 && host.allSatisfy { scalars[$0].isASCII }
        return Span(range: host, kind: isPlain ? .whole : .part, hasScheme: false)
    }

    /// Whether these scalars are a domain name for every reader: ASCII labels of 1 to 63, a known top level.
    private func isCertain(_ host: Range<Int>) -> Bool {
        let labels = labels(host)
        guard labels.count >= 2, host.allSatisfy({ scalars[$0].isASCII }) else { return false }
        for (index, label) in labels.enumerated() {
            guard (1...63).contains(label.count), label.first != "-", label.last != "-", label.first != "_" else {
                return false
            }
            if label.last == "_" || (index >= labels.count - 2 && label.contains("_")) { return false }
        }
        return DomainNames.isKnown(String(String.UnicodeScalarView(labels[labels.count - 1])).lowercased())
    }

    private func labels(_ host: Range<Int>) -> [ArraySlice<Unicode.Scalar>] {
        scalars[host].split(separator: ".", omittingEmptySubsequences: false)
    }

    /// Before an address there may be no letter, digit, `@`, `#` or `$`; before a bare one no `-`, `_`, `.` or `/` either.
    private func precedes(_ start: Int, bare: Bool) -> Bool {
        guard start > 0 else { return true }
        let before = scalars[start - 1]
        if isASCIILetter(before) || isASCIIDigit(before) || "@#$＠＃".unicodeScalars.contains(before) { return false }
        return !(bare && "-_./".unicodeScalars.contains(before))
    }

    private func endsCleanly(_ end: Int) -> Bool {
        end == scalars.count || !"@+".unicodeScalars.contains(scalars[end])
    }

    /// Behind the last host character; a dot or dash at the end belongs to the sentence.
    private func hostEnd(from start: Int) -> Int {
        var end = start
        while end < scalars.count, isHost(scalars[end]) || ".-".unicodeScalars.contains(scalars[end]) { end += 1 }
        while end > start, ".-".unicodeScalars.contains(scalars[end - 1]) { end -= 1 }
        return end
    }

    /// Behind port, path and query: only characters that every reader takes, up to the last that may end an address.
    private func pathEnd(from start: Int) -> Int {
        var end = start
        if end < scalars.count, scalars[end] == ":" {
            var port = end + 1
            while port < scalars.count, isASCIIDigit(scalars[port]) { port += 1 }
            if port > end + 1 { end = port }
        }
        guard end < scalars.count, scalars[end] == "/" || scalars[end] == "?" else { return end }
        if scalars[end] == "/" {
            end = run(from: end + 1, last: end + 1, inside: "!*';:=+,.$%#[]-_~@|&/", final: "=_#/+-&")
        }
        if end < scalars.count, scalars[end] == "?" {
            end = run(from: end + 1, last: end, inside: "!?*'@;:&=+$/%#[]-_.,~|", final: "-_&=#/")
        }
        return end
    }

    /// Behind the last of a run's characters that may end it.
    private func run(from start: Int, last: Int, inside: String, final: String) -> Int {
        var (index, last) = (start, last)
        while index < scalars.count {
            let scalar = scalars[index]
            let isAlphanumeric = isASCIILetter(scalar) || isASCIIDigit(scalar)
            guard isAlphanumeric || inside.unicodeScalars.contains(scalar) else { break }
            index += 1
            if isAlphanumeric || final.unicodeScalars.contains(scalar) { last = index }
        }
        return last
    }

    private func isHost(_ scalar: Unicode.Scalar) -> Bool {
        if isASCIILetter(scalar) || isASCIIDigit(scalar) || scalar == "_" { return true }
        switch scalar.value {  // Latin letters with accents, which some readers take in domain names
        case 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x24F, 0x250...0x2AF, 0x300...0x36F, 0x1E00...0x1EFF: return true
        default: return false
        }
    }

    private func isASCIILetter(_ scalar: Unicode.Scalar) -> Bool {
        ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
    }

    private func isASCIIDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }
}
