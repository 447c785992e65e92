import ChirpWeb
import Testing

/// What senders say of uploads.
@Suite struct TusMetadataTests {
    @Test func `names stand for text in Base64, or for nothing`() throws {
        let metadata = try #require(TusMetadata("filename d29ybGQ=,empty,none , title R3LDvMOfZQ=="))
        #expect(metadata["filename"] == "world" && metadata["title"] == "Grüße")
        #expect(metadata["empty"] == "" && metadata["none"] == "" && metadata["other"] == nil)
        #expect(metadata.text == "filename d29ybGQ=,empty,none , title R3LDvMOfZQ==")
        #expect(try #require(TusMetadata("bytes /w=="))["bytes"] == nil)
        #expect(try #require(TusMetadata(""))["a"] == nil)
    }

    @Test(
        arguments: [
            ",", "a,", ",a", "a YQ", "a YQ==,a YQ==", "a Y Q==", "a !", "grüße YQ==", "a\tYQ==", "a YQ==\n",
            String(repeating: "a", count: 7000),
            (0..<41).map { "n\($0)" }.joined(separator: ","),
        ])
    func `what the protocol does not allow is refused`(text: String) {
        #expect(TusMetadata(text) == nil)
    }
}
