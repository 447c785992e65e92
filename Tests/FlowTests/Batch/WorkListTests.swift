import ChirpAudio
import ChirpClips
import ChirpFlows
import ChirpJournal
import Testing

/// What is to be done with a file, as a table: what an earlier run knew, what is there now, and what follows (W-8).
@Suite struct WorkListTests {
    enum Change: Sendable, CaseIterable {
        case none, sourceTouched, sourceGrown, sourceMoved, clipGone, clipTouched, clipGrown, settings, neverMade
    }

    private static let expected: [Change: String] = [
        .none: "unchanged", .sourceTouched: "compare", .sourceGrown: "compare", .sourceMoved: "compare",
        .clipGone: "make", .clipTouched: "make", .clipGrown: "make", .settings: "make", .neverMade: "make",
    ]

    private let identity = FileFacts.Identity(device: 1, number: 1)

    private func word(_ change: Change) throws -> (word: String, probed: Int) {
        var request = ClipRequest(source: ClipSource(path: "", name: "", sha256: ""), preset: .voice)
        let former = BatchKey(request, keepsTags: false)
        if change == .settings { request.policy.target = LUFS(-20) }
        let row = BatchClipRecord(
            target: "/out", path: Array("a.wav".utf8), root: change == .sourceMoved ? "/elsewhere" : "/in",
            sourceBytes: 10,
            sourceModified: 20, sourceSHA256: "x", sourceSeconds: 5,
            settingsSHA256: former.sha256(uncappedSeconds: 4, unlimitedBytes: 30, hasTags: false),
            output: Array("a.mp3".utf8), outputBytes: 30, outputModified: 40, outputSHA256: "y", uncappedSeconds: 4,
            unlimitedBytes: 30, hasTags: false)
        let source = FileFacts(
            bytes: change == .sourceGrown ? 11 : 10, modified: change == .sourceTouched ? 21 : 20, identity: identity)
        let clip = FileFacts(
            bytes: change == .clipGrown ? 31 : 30, modified: change == .clipTouched ? 41 : 40, identity: identity)
        let list = try WorkList(
            files: [FolderWalk.File(path: BatchPath("a.wav"), facts: source)], root: "/in",
            known: change == .neverMade ? [] : [row], key: BatchKey(request, keepsTags: false),
            probe: { _ in .audio(seconds: 5) }, facts: { _ in change == .clipGone ? nil : clip })
        switch list.items.first?.decision {
        case .unchanged: return ("unchanged", list.probed)
        case .make(let making): return (making.candidate == nil ? "make" : "compare", list.probed)
        default: return ("", list.probed)
        }
    }

    @Test(arguments: Change.allCases)
    func `a clip is made when something differs, and compared when only the recording may`(change: Change) throws {
        let (word, probed) = try word(change)
        #expect(word == Self.expected[change])
        let isRead = [.sourceTouched, .sourceGrown, .sourceMoved, .neverMade].contains(change)
        #expect(probed == (isRead ? 1 : 0))
    }

    @Test func `a file that fails or is no audio takes nobody's name`() throws {
        let files = ["a.flac", "a.txt", "a.wav"].map {
            FolderWalk.File(path: BatchPath($0), facts: FileFacts(bytes: 1, modified: 1, identity: identity))
        }
        let request = ClipRequest(source: ClipSource(path: "", name: "", sha256: ""), preset: .voice)
        let list = try WorkList(
            files: files, root: "/in", known: [], key: BatchKey(request, keepsTags: false),
            probe: { file in
                switch file.path.text {
                case "a.flac": .failed(.undecodable(name: "a.flac", reason: "it is empty"))
                case "a.txt": .ignored("it is text")
                default: .audio(seconds: 1)
                }
            }, facts: { _ in nil })
        #expect(list.items.map(\.output?.text) == [nil, nil, "a.mp3"])
        #expect(list.keepingNames.isEmpty)
    }

    @Test func `a file that is not ready keeps its name, and is no item`() throws {
        let files = ["a.flac", "a.wav"].map {
            FolderWalk.File(path: BatchPath($0), facts: FileFacts(bytes: 1, modified: 1, identity: identity))
        }
        let request = ClipRequest(source: ClipSource(path: "", name: "", sha256: ""), preset: .voice)
        let list = try WorkList(
            files: files, root: "/in", known: [], key: BatchKey(request, keepsTags: false),
            probe: { file in file.path.text == "a.flac" ? .deferred : .audio(seconds: nil) }, facts: { _ in nil })
        #expect(list.items.map(\.output?.text) == ["a.wav.mp3"])
        #expect(list.deferred == 1)
        #expect(list.probed == 1)
    }
}
