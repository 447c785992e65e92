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
            let isMetadata = 0xE0...0xEF ~= marker && marker != 0xE0 && marker != 0xEE || marker == 0xFE
            if !isMetadata { result += bytes[position..<end] }
            position = end
        }
        return nil
    }
}
