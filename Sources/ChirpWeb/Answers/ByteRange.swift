internal import ChirpCore

/// What a `Range` header asks for, within a file of a known size (RFC 9110, section 14).
package enum ByteRange: Hashable {
    /// The whole file: nothing was asked for, or it was not understood, or several ranges were (which may be ignored).
    case whole
    /// Offsets from first up to but without the end; never empty.
    case part(Range<Int64>)
    /// The file ends before the range begins: 416.
    case unsatisfiable

    /// In bytes; two numbers are some forty.
    private static let longest = 200

    /// - Parameter size: the size of the file, 0 or more.
    package init(_ header: String?, size: Int64) {
        self = .whole
        guard let header, header.utf8.count <= Self.longest, let equals = header.firstIndex(of: "="),
            header[..<equals].lowercased() == "bytes"
        else { return }
        let spec = header[header.index(after: equals)...]
        let parts = spec.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return }
        let (first, last) = (Self.number(parts[0]), Self.number(parts[1]))
        switch (parts[0].isEmpty, first, parts[1].isEmpty, last) {
        case (true, _, false, let suffix?):
            let length = min(suffix, size)
            self = length > 0 ? .part(size - length..<size) : .unsatisfiable
        case (false, let first?, true, _):
            self = first < size ? .part(first..<size) : .unsatisfiable
        case (false, let first?, false, let last?):
            guard first <= last else { return }
            self = first < size ? .part(first..<min(last, size - 1) + 1) : .unsatisfiable
        default: return
        }
    }

    /// Digits only. A number too large to be an offset stands for the greatest one.
    private static func number(_ text: Substring) -> Int64? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            return nil
        }
        return ByteCount(decimal: String(text))?.bytes ?? .max
    }
}
