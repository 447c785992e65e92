internal import ChirpFiles

/// A file that pages need, held in the program. Its name changes with its bytes, so browsers may keep it for ever.
///
/// The files are those of `Resources/`; the build embeds them.
package struct Asset: Sendable {
    /// What follows `/assets/`.
    package let name: String
    package let contentType: String
    package let bytes: [UInt8]

    private init(name: String, _ contentType: String, _ bytes: [UInt8]) {
        self.name = name
        self.contentType = contentType
        self.bytes = bytes
    }

    private static func hash(_ bytes: [UInt8]) -> String { String(FileDigest.sha256(of: bytes).prefix(12)) }

    /// The project's mark.
    package static let icon = Asset(
        name: "chirp.\(hash(EmbeddedFiles.chirp_svg)).svg", "image/svg+xml", EmbeddedFiles.chirp_svg)

    /// The look of the pages: calm, one accent colour, large type, readable from 320 px on and at any text size. Lengths are in
    /// `rem` so that they grow with the reader's text size. Every pair of text and ground has a contrast of 7:1 or more
    /// (WCAG 2.2, 1.4.6); a test computes them from the variables. `chirp` is every page's, the others are one page's each.
    package static let styles: [String: Asset] = [
        "chirp": EmbeddedFiles.chirp_css,
        "frame": EmbeddedFiles.frame_css,
        "live": EmbeddedFiles.live_css,
        "record": EmbeddedFiles.record_css,
    ].reduce(into: [:]) {
        $0[$1.key] = Asset(name: "\($1.key).\(hash($1.value)).css", "text/css; charset=utf-8", $1.value)
    }

    /// Makes the pages more comfortable; what can be read can be read without. They are modules that import each other by their plain names,
    /// so all of them lie in a folder that is named by the bytes of all.
    package static let scripts: [String: Asset] = {
        let files: [String: [UInt8]] = [
            "answer": EmbeddedFiles.answer_js,
            "api": EmbeddedFiles.api_js,
            "ask": EmbeddedFiles.ask_js,
            "awake": EmbeddedFiles.awake_js,
            "box": EmbeddedFiles.box_js,
            "capture": EmbeddedFiles.capture_js,
            "chirp": EmbeddedFiles.chirp_js,
            "choice": EmbeddedFiles.choice_js,
            "clipstore": EmbeddedFiles.clipstore_js,
            "counting": EmbeddedFiles.counting_js,
            "crop": EmbeddedFiles.crop_js,
            "editor": EmbeddedFiles.editor_js,
            "events": EmbeddedFiles.events_js,
            "feed": EmbeddedFiles.feed_js,
            "frame": EmbeddedFiles.frame_js,
            "keeper": EmbeddedFiles.keeper_js,
            "kept": EmbeddedFiles.kept_js,
            "live": EmbeddedFiles.live_js,
            "loudspeaker": EmbeddedFiles.loudspeaker_js,
            "mediakeys": EmbeddedFiles.mediakeys_js,
            "messages": EmbeddedFiles.messages_js,
            "news": EmbeddedFiles.news_js,
            "offline": EmbeddedFiles.offline_js,
            "player": EmbeddedFiles.player_js,
            "progress": EmbeddedFiles.progress_js,
            "record": EmbeddedFiles.record_js,
            "replay": EmbeddedFiles.replay_js,
            "reports": EmbeddedFiles.reports_js,
            "rows": EmbeddedFiles.rows_js,
            "say": EmbeddedFiles.say_js,
            "sending": EmbeddedFiles.sending_js,
            "sent": EmbeddedFiles.sent_js,
            "speak": EmbeddedFiles.speak_js,
            "stage": EmbeddedFiles.stage_js,
            "stay": EmbeddedFiles.stay_js,
            "tabs": EmbeddedFiles.tabs_js,
            "takes": EmbeddedFiles.takes_js,
            "tones": EmbeddedFiles.tones_js,
            "tus": EmbeddedFiles.tus_js,
            "wav": EmbeddedFiles.wav_js,
            "waveform": EmbeddedFiles.waveform_js,
            "words": EmbeddedFiles.words_js,
            "worklet": EmbeddedFiles.worklet_js,
        ]
        let folder = "s." + hash(files.sorted { $0.key < $1.key }.flatMap { $0.value })
        return files.reduce(into: [:]) { assets, file in
            assets[file.key] = Asset(name: "\(folder)/\(file.key).js", "text/javascript; charset=utf-8", file.value)
        }
    }()

    /// Where the style sheet of a page lies, behind `/assets/`.
    package static func style(_ name: String) -> String { styles[name]?.name ?? "" }
    /// Where a script lies, behind `/assets/`.
    package static func script(_ name: String) -> String { scripts[name]?.name ?? "" }

    /// The service worker, which has to be told the files that every page needs.
    ///
    /// - Parameter fallback: the address of the page that stands in for others.
    package static func worker(prefix: String, fallback: String) -> [UInt8] {
        let files = all.map(\.name).sorted()
        let list = files.map { "\"\(prefix)/assets/\($0)\"" }.joined(separator: ", ")
        let head = """
            const PREFIX = "\(prefix)"; const VERSION = "\(hash(Array(files.joined().utf8)))"; const OFFLINE = "\(fallback)";
            const SHELL = [\(list)];

            """
        return Array(head.utf8) + EmbeddedFiles.sw_js
    }

    /// Every one there is.
    package static let all = [icon] + styles.values + scripts.values
}
