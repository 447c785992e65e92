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
        name: "chirp.\(hash(PackageResources.chirp_svg)).svg", "image/svg+xml", PackageResources.chirp_svg)

    /// The look of the pages: calm, one accent colour, large type, readable from 320 px on and at any text size. Lengths are in
    /// `rem` so that they grow with the reader's text size. Every pair of text and ground has a contrast of 7:1 or more
    /// (WCAG 2.2, 1.4.6); a test computes them from the variables. `chirp` is every page's, the others are one page's each.
    package static let styles: [String: Asset] = [
        "chirp": PackageResources.chirp_css,
        "frame": PackageResources.frame_css,
        "live": PackageResources.live_css,
        "record": PackageResources.record_css,
    ].reduce(into: [:]) {
        $0[$1.key] = Asset(name: "\($1.key).\(hash($1.value)).css", "text/css; charset=utf-8", $1.value)
    }

    /// Makes the pages more comfortable; what can be read can be read without. They are modules that import each other by their plain names,
    /// so all of them lie in a folder that is named by the bytes of all.
    package static let scripts: [String: Asset] = {
        let files: [String: [UInt8]] = [
            "answer": PackageResources.answer_js,
            "api": PackageResources.api_js,
            "ask": PackageResources.ask_js,
            "awake": PackageResources.awake_js,
            "box": PackageResources.box_js,
            "capture": PackageResources.capture_js,
            "chirp": PackageResources.chirp_js,
            "choice": PackageResources.choice_js,
            "clipstore": PackageResources.clipstore_js,
            "counting": PackageResources.counting_js,
            "crop": PackageResources.crop_js,
            "editor": PackageResources.editor_js,
            "events": PackageResources.events_js,
            "feed": PackageResources.feed_js,
            "frame": PackageResources.frame_js,
            "keeper": PackageResources.keeper_js,
            "kept": PackageResources.kept_js,
            "live": PackageResources.live_js,
            "loudspeaker": PackageResources.loudspeaker_js,
            "mediakeys": PackageResources.mediakeys_js,
            "messages": PackageResources.messages_js,
            "news": PackageResources.news_js,
            "offline": PackageResources.offline_js,
            "player": PackageResources.player_js,
            "progress": PackageResources.progress_js,
            "record": PackageResources.record_js,
            "replay": PackageResources.replay_js,
            "reports": PackageResources.reports_js,
            "rows": PackageResources.rows_js,
            "say": PackageResources.say_js,
            "sending": PackageResources.sending_js,
            "sent": PackageResources.sent_js,
            "speak": PackageResources.speak_js,
            "stage": PackageResources.stage_js,
            "stay": PackageResources.stay_js,
            "tabs": PackageResources.tabs_js,
            "takes": PackageResources.takes_js,
            "times": PackageResources.times_js,
            "tones": PackageResources.tones_js,
            "tus": PackageResources.tus_js,
            "wav": PackageResources.wav_js,
            "waveform": PackageResources.waveform_js,
            "words": PackageResources.words_js,
            "worklet": PackageResources.worklet_js,
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
        return Array(head.utf8) + PackageResources.sw_js
    }

    /// Every one there is.
    package static let all = [icon] + styles.values + scripts.values
}
