package import ChirpAudio

/// The boxes of an MP4 file (ISO/IEC 14496-12), as far as it takes to see that there is nothing in it beside pictures and sound: no place,
/// device or time, no reference to another file; and that its head comes first. Nothing is decoded.
package enum FilmBoxes {
    /// The head of three minutes has 200 kB.
    private static let mostHead = 4 << 20
    private static let holders: Set<String> = ["moov", "trak", "mdia", "minf", "stbl", "edts", "dinf"]
    /// Those that say when which sample is shown and where it lies.
    private static let facts: Set<String> = [
        "mvhd", "tkhd", "mdhd", "vmhd", "smhd", "elst", "stts", "ctts", "stss", "stsc", "stsz", "stco", "co64", "sgpd",
        "sbgp", "sdtp",
    ]

    /// A list without an entry, as `ffmpeg` writes it (QuickTime File Format, metadata).
    private static let noList: [UInt8] = {
        let zeros = [UInt8](repeating: 0, count: 9)
        let parts: [[UInt8]] = [
            [0, 0, 0, 53], Array("meta".utf8), [0, 0, 0, 0], [0, 0, 0, 33], Array("hdlr".utf8), Array(zeros.dropLast()),
            Array("mdirappl".utf8), zeros, [0, 0, 0, 8], Array("ilst".utf8),
        ]
        return parts.flatMap { $0 }
    }()

    /// Whether a file is such a one as is made here, from its first byte to its last.
    ///
    /// - Throws: when it cannot be read.
    package static func isPlain(_ path: String) throws(AudioError) -> Bool {
        let file = try InputFile(opening: path, name: "a film")
        var (position, names) = (0, [String]())
        while position < file.size {
            guard let (name, head, size) = box(try file.bytes(at: position, count: 16)), size >= head,
                size <= file.size - position
            else { return false }
            names.append(name)
            switch name {
            case "ftyp": guard size <= 64 else { return false }
            case "free": guard size == 8 else { return false }
            case "mdat": break
            case "moov":
                guard size <= mostHead, isPlain(try file.bytes(at: position, count: size)[...], depth: 0) else {
                    return false
                }
            default: return false
            }
            position += size
        }
        return names.filter { $0 != "free" } == ["ftyp", "moov", "mdat"]
    }

    private static func isPlain(_ bytes: ArraySlice<UInt8>, depth: Int) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            guard let (name, head, size) = box(Array(rest.prefix(16))), size >= head, size <= rest.count else {
                return false
            }
            let content = rest.dropFirst(head).prefix(size - head)
            if holders.contains(name) {
                guard depth < 8, isPlain(content, depth: depth + 1) else { return false }
            } else if name == "stsd" {
                // One description of each stream.
                guard content.count <= 4096 else { return false }
            } else if name == "udta" {
                // A list of titles, places and the like, which is there always, and always empty.
                guard Array(content) == noList else { return false }
            } else if name == "hdlr" {
                // A name that programs give to a kind of stream.
                guard content.count <= 64 else { return false }
            } else if name == "dref" {
                // One reference, with the flag that says: this file itself (8.7.2).
                guard content.count == 20, Array(content.suffix(8)) == Array("url ".utf8) + [0, 0, 0, 1] else {
                    return false
                }
            } else if !facts.contains(name) {
                return false
            }
            rest = rest.dropFirst(size)
        }
        return true
    }

    /// Name, bytes of the head, and all bytes of the box that begins here.
    private static func box(_ bytes: [UInt8]) -> (name: String, head: Int, size: Int)? {
        guard bytes.count >= 8 else { return nil }
        func number(_ part: ArraySlice<UInt8>) -> UInt64 { part.reduce(0) { $0 << 8 | UInt64($1) } }
        let name = String(decoding: bytes[4..<8], as: UTF8.self)
        let size = number(bytes[..<4])
        guard size == 1 else { return (name, 8, Int(size)) }
        guard bytes.count == 16, let large = Int(exactly: number(bytes[8...])) else { return nil }
        return (name, 16, large)
    }
}
