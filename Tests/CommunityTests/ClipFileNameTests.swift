import ChirpCommunity
import Foundation
import Testing

/// What a clip's file is called where somebody keeps it.
@Suite struct ClipFileNameTests {
    @Test(arguments: [
        ("", "A horn", "A horn.mp3"), ("", "a/b: \"c\"", "a_b_ _c_.mp3"), ("", "Mr. Ada", "Mr. Ada.mp3"),
        ("", "", "Chirp 2027-01-15.mp3"), (".wav", "", "Chirp 2027-01-15.mp3"),
        ("harbour.wav", "A horn", "harbour.mp3"), ("harbour.mp3", "A horn", "harbour.mp3"),
        ("harbour", "A horn", "harbour.mp3"), ("a.b.ogg", "", "a.b.mp3"),
    ])
    func `a clip is called like its recording, and one without a name by its title or the day`(
        recording: String, title: String, name: String
    ) {
        let made = Date(timeIntervalSince1970: 1_800_000_000)
        #expect(HubClip.fileName(of: recording, title: title, made: made) == name)
        let long = String(repeating: "x", count: 300)
        #expect(HubClip.fileName(of: "", title: long, made: made).count <= 64)
    }
}
