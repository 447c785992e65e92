/// Bytes with the places of the numbers in them: a chunk, a page, a frame. Parts are what is permuted.
public struct HostilePart: Sendable {
    public private(set) var bytes: [UInt8] = []
    public private(set) var fields: [HostileField] = []
    /// Makes checksums right again, after numbers have changed. The part may have been cut short by then.
    var seal: (@Sendable (inout [UInt8]) -> Void)?

    init() {}

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    init(_ text: String) { bytes = Array(text.utf8) }

    mutating func raw(_ more: [UInt8]) { bytes += more }

    mutating func text(_ text: String) { bytes += text.utf8 }

    mutating func zeros(_ count: Int) { bytes += [UInt8](repeating: 0, count: count) }

    /// Appends a number that is a field.
    mutating func number(_ name: String, _ value: UInt64, _ width: Int, _ coding: HostileField.Coding = .little) {
        let field = HostileField(name: name, offset: bytes.count, width: width, coding: coding)
        zeros(width)
        field.write(value, to: &bytes)
        fields.append(field)
    }

    /// Calls bytes that are there already a field.
    mutating func mark(_ name: String, at offset: Int, _ width: Int, _ coding: HostileField.Coding = .big) {
        fields.append(HostileField(name: name, offset: offset, width: width, coding: coding))
    }

    mutating func append(_ other: HostilePart) {
        for var field in other.fields {
            field.offset += bytes.count
            fields.append(field)
        }
        bytes += other.bytes
    }

    mutating func set(_ field: HostileField, to value: UInt64) { field.write(value, to: &bytes) }

    mutating func change(_ body: (inout [UInt8]) -> Void) { body(&bytes) }

    /// A chunk of RIFF (little) or IFF (big), with its padding byte.
    static func chunk(_ name: String, _ body: HostilePart, _ coding: HostileField.Coding = .little) -> HostilePart {
        var part = HostilePart(name)
        part.number("\(name) size", UInt64(body.bytes.count), 4, coding)
        part.append(body)
        if body.bytes.count % 2 == 1 { part.zeros(1) }
        return part
    }
}
