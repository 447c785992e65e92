/// A stretch of a file that is read from its front: numbers with the greater byte first. Nothing is read behind its end.
struct ByteStretch: Sendable {
    let bytes: [UInt8]
    private(set) var place: Int
    let end: Int

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        place = 0
        end = bytes.count
    }

    /// - Parameter range: of the file; it lies within.
    init(_ bytes: [UInt8], _ range: Range<Int>) {
        self.bytes = bytes
        place = range.lowerBound
        end = range.upperBound
    }

    var count: Int { end - place }
    var range: Range<Int> { place..<end }
    var isEmpty: Bool { place >= end }

    /// A number of up to eight bytes; none of its eighth bit.
    mutating func number(_ width: Int) throws(PictureFault) -> Int {
        guard width <= count else { throw .damaged("it is cut short") }
        var value: UInt64 = 0
        for index in place..<place + width { value = value << 8 | UInt64(bytes[index]) }
        guard let number = Int(exactly: value) else { throw .damaged("a size in it is beyond all sense") }
        place += width
        return number
    }

    /// Four letters.
    mutating func mark() throws(PictureFault) -> String {
        let part = try part(4)
        return String(decoding: part.bytes[part.range], as: UTF8.self)
    }

    /// The next bytes as a stretch of their own.
    mutating func part(_ length: Int) throws(PictureFault) -> ByteStretch {
        guard length >= 0, length <= count else { throw .damaged("it is cut short") }
        defer { place += length }
        return ByteStretch(bytes, place..<place + length)
    }
}
