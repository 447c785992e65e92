import ChirpFlows
import Testing

// W-8.
@Suite struct OutputNamesTests {
    @Test(arguments: [
        (["a.wav"], ["a.mp3"]),
        (["a.wav", "b/a.flac"], ["a.mp3", "b/a.mp3"]),
        (["a.flac", "a.wav"], ["a.flac.mp3", "a.wav.mp3"]),
        (["a.wav", "a.flac"], ["a.wav.mp3", "a.flac.mp3"]),
        (["a", "a.wav"], ["a.mp3.", "a.wav.mp3"]),
        (["a.flac", "a.wav", "a.wav.flac"], ["a.flac.mp3", "a.wav.mp3", "a.wav.flac.mp3"]),
        (["a.mp3"], ["a.mp3"]),
        (["take.2026.wav", "take.wav"], ["take.2026.mp3", "take.mp3"]),
        (["d.e/f", "d.e/f.g"], ["d.e/f.mp3.", "d.e/f.g.mp3"]),
        (["a.mp3.wav", "a.mp3"], ["a.mp3.mp3", "a.mp3"]),
    ])
    func `sources that would give one name keep their whole names`(sources: [String], outputs: [String]) {
        // A name without an ending has no other whole name: the point stands for it in the table.
        let expected = outputs.map { $0.hasSuffix(".") ? String($0.dropLast()) : $0 }
        #expect(OutputNames(sources.map { BatchPath($0) }).paths.map(\.text) == expected)
    }

    @Test func `the order of the sources does not matter`() {
        let sources = ["a.flac", "a.wav", "a.wav.flac", "a.wav.wav", "b", "b.x"].map { BatchPath($0) }
        let pairs = Dictionary(uniqueKeysWithValues: zip(sources, OutputNames(sources).paths))
        for turn in sources.indices {
            let turned = Array(sources[turn...] + sources[..<turn])
            #expect(OutputNames(turned).paths == turned.map { pairs[$0] })
        }
        #expect(Set(pairs.values).count == sources.count)
    }

    @Test func `a name that is no text is shown, told apart, and kept byte for byte`() {
        let path = BatchPath(Array("d/caf".utf8) + [0xE9] + Array(".wav".utf8))
        #expect(!path.isText)
        #expect(path.text == "d/caf\\xE9.wav")
        #expect(OutputNames([path]).paths.first?.bytes == Array("d/caf".utf8) + [0xE9] + Array(".mp3".utf8))
        #expect(BatchPath("two\nlines").text == "two\nlines")
    }
}
