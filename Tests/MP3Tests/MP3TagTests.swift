import ChirpCodecs
import ChirpMP3
import ChirpTestKit
import Foundation
import Testing

/// The ID3 tag is read back by a library that was written by others.
@Suite struct MP3TagTests {
    /// Prints what mutagen finds, one `frame=value` a line.
    private static let script = """
        import sys
        from mutagen.id3 import ID3
        tag = ID3(sys.argv[1], load_v1=False)
        print("version=%d.%d" % tag.version[:2])
        for name in ("TIT2", "TPE1", "TALB"):
            if name in tag: print(name + "=" + "|".join(tag[name].text))
        for frame in tag.getall("COMM"): print("COMM=" + frame.lang + ":" + frame.desc + ":" + "|".join(frame.text))
        for frame in tag.getall("WOAF"): print("WOAF=" + frame.url)
        for frame in tag.getall("APIC"): print("APIC=%s:%d:%d" % (frame.mime, frame.type, len(frame.data)))
        for frame in tag.getall("CTOC"): print("CTOC=%d:%s" % (frame.flags, ",".join(frame.child_element_ids)))
        for frame in sorted(tag.getall("CHAP"), key=lambda f: f.start_time):
            print("CHAP=%d-%d:%s" % (frame.start_time, frame.end_time, frame.sub_frames["TIT2"].text[0]))
        """

    private func readBack(_ tag: ID3Tag) throws -> [String] {
        let folder = try TemporaryFolder()
        let path = folder.path("a.mp3")
        let bytes = tag.encoded()
        #expect(bytes.count == tag.encodedBytes)
        try Data(bytes + [UInt8](repeating: 0, count: 10)).write(to: URL(filePath: path))
        let result = try ExternalProgram("/usr/bin/python3").run(["-c", Self.script, path])
        try #require(result.status == 0, "\(result.errors)")
        return result.text.split(separator: "\n").map(String.init)
    }

    @Test func `everything that was given is read back`() throws {
        let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0] + [UInt8](repeating: 0xFF, count: 99_996)
        let tag = ID3Tag(
            title: "Grüße 👋", artist: "Ann", album: "Días", comment: "one\ntwo", link: "https://a.example/ü b",
            cover: jpeg,
            chapters: [
                ID3Chapter(title: "Start", start: .zero, end: .milliseconds(1500)),
                ID3Chapter(title: "Ende", start: .milliseconds(1500), end: .seconds(7)),
            ])
        #expect(
            try readBack(tag) == [
                "version=2.4", "TIT2=Grüße 👋", "TPE1=Ann", "TALB=Días", "COMM=XXX::one", "two",
                "WOAF=https://a.example/%C3%BC%20b", "APIC=image/jpeg:3:100000", "CTOC=3:chp0,chp1",
                "CHAP=0-1500:Start", "CHAP=1500-7000:Ende",
            ])
    }

    @Test func `nothing given writes no tag`() {
        #expect(ID3Tag().encoded().isEmpty)
        #expect(ID3Tag(title: "", comment: "\u{0}\u{7}", cover: []).encoded().isEmpty)
    }

    @Test func `control characters do not reach the file`() throws {
        #expect(try readBack(ID3Tag(title: "a\u{0}b\u{1B}c\nd")) == ["version=2.4", "TIT2=abcd"])
    }

    @Test func `a text too long is cut at a character`() throws {
        let long = String(repeating: "👩‍👩‍👧", count: 10_000)
        let lines = try readBack(ID3Tag(title: long))
        #expect(lines[1].utf8.count <= 65536 + 5 && lines[1].utf8.count > 65000)
        #expect(lines[1].hasSuffix("👩‍👩‍👧"))
    }

    @Test func `a cover beyond the limit is left out`() {
        let tag = ID3Tag(title: "a", cover: [UInt8](repeating: 1, count: ID3Tag.mostCoverBytes + 1))
        #expect(tag.encoded() == ID3Tag(title: "a").encoded())
    }
}
