internal import ChirpAudio

/// The pages of an Ogg file (RFC 3533), as far as tags and truncation need them.
enum OggPages {
    /// Pages that are looked at before the search for packets is given up; headers with a large picture take some 250.
    private static let mostPages = 10_000

    /// The first packets of a logical stream.
    ///
    /// - Parameters:
    ///   - count: how many.
    ///   - limit: stops when that many bytes have been gathered.
    ///   - serial: of the stream; nil for the first.
    static func packets(
        _ file: InputFile, count: Int, limit: Int, of serial: UInt32? = nil
    ) throws(AudioError) -> [[UInt8]] {
        var packets: [[UInt8]] = []
        var packet: [UInt8] = []
        var serial = serial
        var offset = 0
        var gathered = 0
        for _ in 0..<mostPages {
            guard packets.count < count, gathered <= limit, let page = try OggPage(file, at: offset) else { break }
            offset += page.byteCount
            if serial == nil { serial = page.serial }
            guard page.serial == serial else { continue }
            var body = try file.bytes(at: offset - page.bodyBytes, count: page.bodyBytes)[...]
            gathered += 282 + body.count
            for segment in page.segments {
                packet += body.prefix(Int(segment))
                body = body.dropFirst(Int(segment))
                // A segment of less than 255 bytes ends its packet.
                if segment < 255 {
                    packets.append(packet)
                    packet = []
                }
            }
        }
        return Array(packets.prefix(count))
    }

    /// Whether the file ends in the middle of a page.
    static func isTruncated(_ file: InputFile) throws(AudioError) -> Bool {
        // The longest page has 65307 bytes.
        let start = max(0, file.size - 65_400)
        let tail = try file.bytes(at: start, count: file.size - start)
        let mark = Array("OggS".utf8)
        guard
            let last = tail.indices.last(where: { index in
                tail[index] == mark[0] && tail[index...].starts(with: mark)
            })
        else { return true }
        guard let page = try OggPage(file, at: start + last) else { return true }
        return start + last + page.byteCount > file.size
    }
}
