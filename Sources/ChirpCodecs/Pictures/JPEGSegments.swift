/// The segments of a JPEG file (ITU-T T.81, annex B).
enum JPEGSegments {
    /// The file without what is not the picture: Exif (places, devices, times), XMP, colour profiles, comments, further
    /// pictures behind its end.
    ///
    /// - Returns: nil when it is cut short or no JPEG.
    static func withoutMetadata(_ bytes: [UInt8]) -> [UInt8]? {
        guard bytes.starts(with: [0xFF, 0xD8]) else { return nil }
        var result: [UInt8] = [0xFF, 0xD8]
        var position = 2
        while position + 1 < bytes.count {
            guard bytes[position] == 0xFF else { return nil }
            let marker = bytes[position + 1]
            if marker == 0xFF {  // padding in front of a marker
                position += 1
                continue
            }
            if marker == 0xD9 { return result + [0xFF, 0xD9] }
            guard position + 3 < bytes.count else { return nil }
            let length = Int(bytes[position + 2]) << 8 | Int(bytes[position + 3])
            var end = position + 2 + length
            guard length >= 2, end <= bytes.count else { return nil }
            // Behind the start of a scan comes coded data, in which a marker's first byte is followed by 0 or a restart.
            if marker == 0xDA {
                while end + 1 < bytes.count, bytes[end] != 0xFF || bytes[end + 1] == 0 || 0xD0...0xD7 ~= bytes[end + 1]
                {
                    end += 1
                }
            }
            // Of application segments only JFIF and Adobe say how the picture is decoded.
            let isDecoding = marker == 0xEE || marker == 0xE0 && isPlainJFIF(bytes[(position + 4)..<end])
            let isMetadata = 0xE0...0xEF ~= marker && !isDecoding || marker == 0xFE
            if !isMetadata { result += bytes[position..<end] }
            position = end
        }
        return nil
    }

    /// Width and height as the head of its frame says; nil where there is none.
    static func size(_ bytes: [UInt8]) -> (Int, Int)? {
        var position = 2
        while position + 9 <= bytes.count, bytes[position] == 0xFF {
            let marker = bytes[position + 1]
            if 0xC0...0xCF ~= marker, ![0xC4, 0xC8, 0xCC].contains(marker) {
                let values = bytes[(position + 5)..<(position + 9)].map(Int.init)
                return (values[2] << 8 | values[3], values[0] << 8 | values[1])
            }
            guard marker != 0xDA, marker != 0xD9 else { return nil }
            position += 2 + (Int(bytes[position + 2]) << 8 | Int(bytes[position + 3]))
        }
        return nil
    }

    /// JFIF's own fields, without the thumbnail that may follow them: it can show what has been cropped away since.
    private static func isPlainJFIF(_ content: ArraySlice<UInt8>) -> Bool {
        content.count == 14 && content.starts(with: Array("JFIF\0".utf8))
    }

    /// How the picture has to be turned to be upright, as Exif has it (CIPA DC-008, tag 274): 1 as it is, up to 8. Anything that
    /// cannot be read is 1.
    static func orientation(_ bytes: [UInt8]) -> Int {
        var position = 2
        while position + 3 < bytes.count, bytes[position] == 0xFF {
            let marker = bytes[position + 1]
            if marker == 0xFF {
                position += 1
                continue
            }
            let end = position + 2 + (Int(bytes[position + 2]) << 8 | Int(bytes[position + 3]))
            guard end > position + 3, end <= bytes.count, marker != 0xDA, marker != 0xD9 else { return 1 }
            let content = bytes[(position + 4)..<end]
            let name = Array("Exif\0\0".utf8)
            if marker == 0xE1, content.starts(with: name) {
                return orientation(tiff: Array(content.dropFirst(name.count)))
            }
            position = end
        }
        return 1
    }

    /// The same of Exif's own content, a TIFF file, by its first directory: PNG and WebP have that too.
    static func orientation(tiff: [UInt8]) -> Int {
        let isLittle = tiff.starts(with: Array("II".utf8))
        guard isLittle || tiff.starts(with: Array("MM".utf8)) else { return 1 }
        func number(at place: Int, bytes: Int) -> Int? {
            guard place >= 0, place + bytes <= tiff.count else { return nil }
            let part = tiff[place..<(place + bytes)]
            return (isLittle ? Array(part.reversed()) : Array(part)).reduce(0) { $0 << 8 | Int($1) }
        }
        guard let directory = number(at: 4, bytes: 4), let count = number(at: directory, bytes: 2) else { return 1 }
        for entry in 0..<count {
            let place = directory + 2 + 12 * entry
            guard let tag = number(at: place, bytes: 2) else { return 1 }
            guard tag == 274, number(at: place + 2, bytes: 2) == 3 else { continue }
            return number(at: place + 8, bytes: 2).flatMap { 1...8 ~= $0 ? $0 : nil } ?? 1
        }
        return 1
    }
}
