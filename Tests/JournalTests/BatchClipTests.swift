import ChirpJournal
import ChirpTestKit
import Testing

@Suite struct BatchClipTests {
    private func clip(_ target: String, _ path: [UInt8], settings: String = "s") -> BatchClipRecord {
        BatchClipRecord(
            target: target, path: path, root: "/in", sourceBytes: 1, sourceModified: .max, sourceSHA256: "a",
            sourceSeconds: 1.5, settingsSHA256: settings, output: path + [0x2E], outputBytes: 2, outputModified: 3,
            outputSHA256: "b", uncappedSeconds: nil, unlimitedBytes: 4, hasTags: true)
    }

    @Test func `clips are kept by folder and name, whatever bytes the name has`() async throws {
        let folder = try TemporaryFolder()
        let journal = try Journal(path: folder.path("j.sqlite"))
        let clips = [clip("/out", [0x61]), clip("/out", [0xFF, 0x0A, 0x62]), clip("/other", [0x61])]
        try await journal.record(clips)
        #expect(Set(try await journal.batchClips(in: "/out")) == Set(clips.prefix(2)))
        #expect(try await journal.batchClips(in: "/other") == [clips[2]])
        #expect(try await journal.batchClips(in: "/none").isEmpty)
        let newer = clip("/other", [0x61], settings: "t")
        try await journal.record([newer])
        #expect(try await Journal(path: folder.path("j.sqlite")).batchClips(in: "/other") == [newer])
    }
}
