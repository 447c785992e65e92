import ChirpAudio
import ChirpClips
import ChirpCodecs
import ChirpCore
import ChirpFlows
import ChirpJournal
import ChirpMP3
import Testing

/// A change of settings redoes exactly what it affects (W-8).
@Suite struct BatchKeyTests {
    private let source = ClipSource(path: "", name: "", sha256: "")

    private func key(
        _ keepsTags: Bool = false, seconds: Double? = 60, bytes: Int64? = 500_000, hasTags: Bool = false,
        _ change: (inout ClipRequest) -> Void = { _ in }
    ) -> String {
        var request = ClipRequest(source: source, preset: .voice)
        change(&request)
        return BatchKey(request, keepsTags: keepsTags).sha256(
            uncappedSeconds: seconds, unlimitedBytes: bytes, hasTags: hasTags)
    }

    @Test func `every setting that shapes a clip counts`() {
        let keys = [
            key(), key { $0.settings.rate = .constant(kbps: 96) }, key { $0.settings.rate = .variable(quality: 4) },
            key { $0.policy.target = LUFS(-14) }, key { $0.policy.trims = false }, key { $0.policy.normalises = false },
            key { $0.preset = .music }, key { $0.tag.title = "x" }, key { $0.tag.cover = [1] },
            key { $0.tag.cover = [2] },
            key(true, hasTags: true), key { $0.policy.maximumLength = .seconds(30) },
            key { $0.maximumBytes = ByteCount(9) },
        ]
        #expect(Set(keys).count == keys.count)
    }

    @Test func `threads, place and name of a source do not`() {
        #expect(key { $0.jobs = 7 } == key())
        #expect(key { $0.source = ClipSource(path: "a", name: "b", sha256: "c") } == key())
    }

    @Test func `what has no effect on a clip does not count for it`() {
        #expect(key { $0.policy.maximumLength = .seconds(60) } == key())
        #expect(key(seconds: nil) { $0.policy.maximumLength = .seconds(60) } != key(seconds: nil))
        #expect(key { $0.maximumBytes = ByteCount(500_000) } == key())
        #expect(key(bytes: nil) { $0.maximumBytes = ByteCount(500_000) } != key(bytes: nil))
        #expect(key(true) == key())
        let quiet = key { $0.policy.normalises = false }
        let target = key { request in
            request.policy.normalises = false
            request.policy.target = LUFS(-14)
        }
        #expect(target == quiet)
    }
}
