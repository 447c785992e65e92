import ChirpAudio
import ChirpClips
import ChirpCodecs
import ChirpTestKit
import Testing

/// W-2, W-9: analysing on several threads.
struct AnalyseTests {
    @Test(arguments: [(44100, 1, 9.3), (48000, 2, 8.004), (22050, 1, 4.0), (8000, 1, 13.0)])
    func `any number of threads finds the same facts`(rate: Int, channels: Int, seconds: Double) throws {
        let workplace = try Workplace()
        var source = try workplace.source(
            .speech(AudioFormat(sampleRate: rate, channels: channels), seconds: seconds))
        source.sha256 = ""
        var found: Set<ClipAnalysis> = []
        for jobs in 1...4 {
            var request = ClipRequest(source: source, preset: .music)
            request.jobs = jobs
            let clip = try prepare(request) { _ in }
            found.insert(clip.analysis)
        }
        #expect(found.count == 1)
        let analysis = try #require(found.first)
        #expect(analysis.frames == Int((seconds * Double(analysis.format.sampleRate)).rounded()))
    }

    @Test func `a digest is not looked for unless somebody reads it`() throws {
        let workplace = try Workplace()
        var source = try workplace.source(.speech(AudioFormat(sampleRate: 16000, channels: 1), seconds: 1))
        source.sha256 = ""
        #expect(try prepare(ClipRequest(source: source, preset: .voice)) { _ in }.input.sha256.isEmpty)
    }

    @Test func `a digest that nobody needed before is found meanwhile`() throws {
        let workplace = try Workplace()
        var source = try workplace.source(.speech(AudioFormat(sampleRate: 16000, channels: 1), seconds: 1))
        source.sha256 = ""
        for jobs in [1, 2] {
            var request = ClipRequest(source: source, preset: .voice)
            request.jobs = jobs
            #expect(try prepare(request, findsDigest: true) { _ in }.input.sha256 == hashFile(source.path).sha256)
        }
    }
}
