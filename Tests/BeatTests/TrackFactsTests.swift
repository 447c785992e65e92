import ChirpBoards
import Foundation
import Testing

/// What was found in a track, as JSON.
@Suite struct TrackFactsTests {
    private func facts() -> TrackFacts {
        var facts = TrackFacts(milliseconds: 180_000)
        facts.print = [0, 1, 127, 128, 255]
        facts.probes = [0, 1, 0x0102_0304, .max]
        facts.beats = [0.5, 1]
        return facts
    }

    @Test func `many numbers are one text, and come back`() throws {
        let json = try JSONEncoder().encode(facts())
        let members = try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
        // The least significant byte first, whatever this machine has.
        #expect(members["print"] as? String == Data([0, 1, 127, 128, 255]).base64EncodedString())
        #expect(
            members["probes"] as? String
                == Data([0, 0, 0, 0, 1, 0, 0, 0, 4, 3, 2, 1, 255, 255, 255, 255]).base64EncodedString())
        #expect(try JSONDecoder().decode(TrackFacts.self, from: json) == facts())
        let empty = TrackFacts(milliseconds: 1)
        #expect(try JSONDecoder().decode(TrackFacts.self, from: JSONEncoder().encode(empty)) == empty)
    }

    @Test func `lists of an earlier release are read`() throws {
        let json = """
            {"milliseconds": 180000, "description": [], "beats": [0.5, 1], "print": [0, 1, 127, 128, 255],
            "probes": [0, 1, 16909060, 4294967295]}
            """
        #expect(try JSONDecoder().decode(TrackFacts.self, from: Data(json.utf8)) == facts())
    }

    @Test(arguments: [#""!""#, #""AAA=""#, #"[4294967296]"#, "[-1]", "{}", "7", "null"])
    func `what are no such numbers is refused`(text: String) {
        let json = #"{"milliseconds": 1, "description": [], "beats": [], "print": [], "probes": \#(text)}"#
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(TrackFacts.self, from: Data(json.utf8)) }
    }
}
