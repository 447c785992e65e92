extension HostilePart {
    /// An ID3v2 tag with texts and a picture.
    static func id3(version: Int) -> HostilePart {
        var frames = HostilePart()
        func frame(_ name: String, _ body: HostilePart) {
            frames.text(version == 2 ? String(name.prefix(3)) : name)
            let size = UInt64(body.bytes.count)
            switch version {
            case 2: frames.number("\(name) size", size, 3, .big)
            case 3: frames.number("\(name) size", size, 4, .big)
            default: frames.number("\(name) size", size, 4, .syncsafe)
            }
            if version > 2 { frames.number("\(name) flags", 0, 2, .big) }
            frames.append(body)
        }
        func text(_ text: String, encoding: UInt64 = 3) -> HostilePart {
            var part = HostilePart()
            part.number("text encoding", encoding, 1)
            part.text(text)
            return part
        }
        if version == 2 {
            frame("TT2", text("title", encoding: 0))
            frame("COM", text("eng\0comment", encoding: 0))
            frame("PIC", text("PNG\u{3}\0" + "", encoding: 0).appending(.png()))
        } else {
            frame("TIT2", text("\u{0}t\u{0}i", encoding: 2))
            frame("TPE1", text("artist"))
            frame("COMM", text("eng\0comment"))
            frame("TXXX", text("comment\0text"))
            frame("APIC", text("image/png\0\u{3}\0").appending(.png()))
            frame("CHAP", HostilePart([UInt8](repeating: 0x41, count: 30)))
        }
        frames.zeros(10)
        var part = HostilePart("ID3")
        part.number("ID3 version", UInt64(version), 1)
        part.number("ID3 revision", 0, 1)
        part.number("ID3 flags", 0, 1)
        part.number("ID3 size", UInt64(frames.bytes.count), 4, .syncsafe)
        part.append(frames)
        return part
    }

    /// An APEv2 tag of one item.
    static func ape() -> HostilePart {
        var part = HostilePart()
        part.number("item size", 5, 4)
        part.number("item flags", 0, 4)
        part.text("Title\0title")
        let size = part.bytes.count + 32
        part.text("APETAGEX")
        part.number("APE version", 2000, 4)
        part.number("APE size", UInt64(size), 4)
        part.number("APE items", 1, 4)
        part.number("APE flags", 0, 4)
        part.zeros(8)
        return part
    }

    static func id3v1() -> HostilePart { HostilePart(Array("TAG".utf8) + [UInt8](repeating: 0x41, count: 125)) }

    /// Vorbis comments from the vendor's length on.
    static func comments() -> HostilePart {
        var part = HostilePart()
        let texts = [
            "TITLE=title", "ARTIST=artist", "COMMENT=a comment", "METADATA_BLOCK_PICTURE=AAAAAwAAAAlpbWFnZS9wbmc=",
        ]
        part.number("vendor length", 4, 4)
        part.text("made")
        part.number("comments", UInt64(texts.count), 4)
        for text in texts {
            part.number("comment length", UInt64(text.utf8.count), 4)
            part.text(text)
        }
        return part
    }

    func appending(_ other: HostilePart) -> HostilePart {
        var result = self
        result.append(other)
        return result
    }
}
