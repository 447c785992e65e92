import ChirpCommunity
import Foundation
import Testing

/// What a clip's file is called where somebody keeps it.
@Suite struct ClipFileNameTests {
    @Test(arguments: [
        ("take.mp3", "A horn", "A horn.mp3"), ("take.mp3", "a/b: \"c\"", "a_b_ _c_.mp3"),
        ("take.mp3", "", "Chirp 2027-01-15.mp3"), ("harbour.mp3", "A horn", "harbour.mp3"),
    ])
    func `a recording of a browser is called by its title, or the day`(file: String, title: String, name: String) {
        var clip = HubClip(
            id: HubID(), title: title, fileName: file, contentType: "audio/mpeg", bytes: 1, sha256: "", sound: nil,
            created: Date(timeIntervalSince1970: 1_800_000_000), expires: nil, shared: true)
        #expect(clip.keptName == name)
        clip.title = String(repeating: "x", count: 300)
        #expect(clip.keptName.count <= 64)
    }
}
