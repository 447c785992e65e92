extension ID3Tag {
    /// Bytes of ``encoded()``.
    public var encodedBytes: Int { encoded().count }

    /// The tag as it stands at the start of the file; empty when there is nothing to say.
    ///
    /// ID3v2.4.0, UTF-8, no unsynchronisation, no padding. Control characters are removed, each text is limited to
    /// 64 KiB, a cover beyond ``mostCoverBytes`` and chapters beyond 255 are left out.
    public func encoded() -> [UInt8] {
        var frames: [UInt8] = []
        for (name, value) in [("TIT2", title), ("TPE1", artist), ("TALB", album)] {
            if let text = Self.text(value) { Self.append(name, [3] + text, to: &frames) }
        }
        // Language unknown, no description.
        if let text = Self.text(comment, keepingLines: true) {
            Self.append("COMM", [3] + Array("XXX".utf8) + [0] + text, to: &frames)
        }
        if let link = Self.address(link) { Self.append("WOAF", link, to: &frames) }
        appendCover(to: &frames)
        appendChapters(to: &frames)
        guard !frames.isEmpty else { return [] }
        return Array("ID3".utf8) + [4, 0, 0] + Self.synchsafe(frames.count) + frames
    }

    private func appendCover(to frames: inout [UInt8]) {
        guard let cover, !cover.isEmpty, cover.count <= Self.mostCoverBytes else { return }
        let type =
            cover.starts(with: [0xFF, 0xD8, 0xFF])
            ? "image/jpeg" : cover.starts(with: [0x89, 0x50, 0x4E, 0x47]) ? "image/png" : "image/"
        // Latin-1, type, picture type 3 (front cover), no description.
        Self.append("APIC", [0] + Array(type.utf8) + [0, 3, 0] + cover, to: &frames)
    }

    /// "ID3v2 Chapter Frame Addendum" 1.0: one table of contents, one frame for each chapter.
    private func appendChapters(to frames: inout [UInt8]) {
        guard !chapters.isEmpty else { return }
        let chapters = chapters.prefix(255)
        let names = chapters.indices.map { Array("chp\($0)".utf8) + [0] }
        // Top level and ordered.
        Self.append("CTOC", Array("toc".utf8) + [0, 3, UInt8(chapters.count)] + names.flatMap(\.self), to: &frames)
        for (chapter, name) in zip(chapters, names) {
            var content = name
            for time in [chapter.start, max(chapter.start, chapter.end)] {
                content += Self.bigEndian(Self.milliseconds(time))
            }
            content += [UInt8](repeating: 0xFF, count: 8)  // byte offsets: not used
            if let text = Self.text(chapter.title) { Self.append("TIT2", [3] + text, to: &content) }
            Self.append("CHAP", content, to: &frames)
        }
    }

    private static func append(_ name: String, _ content: [UInt8], to frames: inout [UInt8]) {
        frames += name.utf8
        frames += synchsafe(content.count)
        frames += [0, 0]
        frames += content
    }

    /// Seven bits a byte, so that no reader mistakes a size for the start of a frame.
    private static func synchsafe(_ value: Int) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (7 * (3 - $0)) & 0x7F) }
    }

    private static func bigEndian(_ value: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * (3 - $0))) }
    }

    private static func milliseconds(_ time: Duration) -> UInt32 {
        UInt32(
            clamping: time.components.seconds.multipliedReportingOverflow(by: 1000).partialValue
                + time.components.attoseconds / 1_000_000_000_000_000)
    }

    /// UTF-8 without control characters (a zero would split the value), cut at a character; nil when nothing is left.
    private static func text(_ value: String?, keepingLines: Bool = false) -> [UInt8]? {
        guard let value else { return nil }
        var bytes: [UInt8] = []
        for character in value {
            let scalars = character.unicodeScalars.filter { scalar in
                scalar.properties.generalCategory != .control || keepingLines && scalar == "\n"
            }
            let encoded = scalars.flatMap { Array(String($0).utf8) }
            guard bytes.count + encoded.count <= 65536 else { break }
            bytes += encoded
        }
        return bytes.isEmpty ? nil : bytes
    }

    /// An address as Latin-1: everything beyond printable ASCII percent-encoded.
    private static func address(_ value: String?) -> [UInt8]? {
        guard let text = text(value) else { return nil }
        let digits = Array("0123456789ABCDEF".utf8)
        return text.flatMap { byte in
            (0x21...0x7E).contains(byte) ? [byte] : [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
    }

    /// The whole size of the ID3v2 tag that begins at an offset, or nil when none does. Any input is safe.
    static func size(at offset: Int, of bytes: borrowing Span<UInt8>) -> Int? {
        guard offset >= 0, offset <= bytes.count - 10 else { return nil }
        guard bytes[offset] == 0x49, bytes[offset + 1] == 0x44, bytes[offset + 2] == 0x33,
            bytes[offset + 3] != 0xFF, bytes[offset + 4] != 0xFF
        else { return nil }
        var size = 0
        for index in offset + 6..<offset + 10 {
            guard bytes[index] < 0x80 else { return nil }
            size = size << 7 | Int(bytes[index])
        }
        let hasFooter = bytes[offset + 5] & 0x10 != 0
        return 10 + size + (hasFooter ? 10 : 0)
    }
}
