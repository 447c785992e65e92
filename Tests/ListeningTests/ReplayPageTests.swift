import ChirpListening
import ChirpWeb
import Foundation
import Testing

/// The page of what was heard, as it is without script.
@Suite struct ReplayPageTests {
    private func page(_ state: LivePage.Clip.State, clip: String = "abc") -> String {
        let clip = LivePage.Clip(
            number: 7, clip: clip, seconds: 3, handle: "ann", name: "Ann", text: "Hear",
            arrived: Date(timeIntervalSince1970: 1_800_000_000), keptUntil: nil, state: state,
            fileName: "ann A \"horn\".mp3")
        return ReplayPage(clips: [clip], older: nil, isFirst: true, prefix: "/hub").html.text
    }

    @Test func `what was heard can be kept as a file, by a plain link with a name that says whose it is`() {
        let link = #"<a class="quiet" href="/hub/media/abc.mp3" download="ann A &quot;horn&quot;.mp3""#
        #expect(page(.played).contains(link))
        #expect(page(.played).contains(">Download MP3</a>"))
        #expect(Language.$current.withValue(.german) { page(.played) }.contains(">MP3 herunterladen</a>"))
    }

    @Test func `what is gone has nothing to keep`() {
        #expect(!page(.gone).contains("download="))
        #expect(!page(.gone, clip: "").contains("download="))
    }
}
