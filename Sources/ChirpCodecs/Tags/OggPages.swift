internal import ChirpAudio

/// The pages of an Ogg file (RFC 3533), as far as tags and truncation need them.
enum OggPages {
    /// The first packets of the first logical stream.
    ///
    /// - Parameters:
    ///   - count: how many.
    ///   - limit: stops when that many bytes have been gathered.
    static func packets(_ file: InputFile, count: Int, limit: Int) throws(AudioError) -> [[UInt8]] {
        var packets: [[UInt8]] = []
        var packet: [UInt8] = []
        var serial: UInt32?
        var offset = 0
        var gathered = 0
        while packets.count < count, gathered <= limit, let page = try Page(file, at: offset) {
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
        guard let page = try Page(file, at: start + last) else { return true }
        return start + last + page.byteCount > file.size
    }

    /// A page's header.
    private struct Page {
        let serial: UInt32
        let segments: [UInt8]
        let bodyBytes: Int
        var byteCount: Int { 27 + segments.count + bodyBytes }

        /// Nil where no whole header is.
        init?(_ file: InputFile, at offset: Int) throws(AudioError) {
            let head = try file.bytes(at: offset, count: 27 + 255)
            guard head.count >= 27, head.starts(with: Array("OggS".utf8)), head[4] == 0 else { return nil }
            let count = Int(head[26])
            guard head.count >= 27 + count else { return nil }
            serial = head.littleEndian32(at: 14)
            segments = Array(head[27..<27 + count])
            bodyBytes = segments.reduce(0) { $0 + Int($1) }
        }
    }
}
