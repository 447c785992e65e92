internal import ChirpFiles

/// A file that pages need, held in the program. Its name changes with its bytes, so browsers may keep it for ever.
///
/// The files are those of the modules' `Resources/`; the build embeds them.
package struct Asset: Sendable {
    /// What follows `/assets/`.
    package let name: String
    package let contentType: String
    package let content: PackedBytes

    package var bytes: [UInt8] { content.bytes }

    private init(name: String, _ contentType: String, _ bytes: [UInt8]) {
        self.name = name
        self.contentType = contentType
        content = PackedBytes(bytes)
    }

    private static func hash(_ bytes: [UInt8]) -> String { String(FileDigest.sha256(of: bytes).prefix(12)) }

    /// The project's mark.
    package static let icon = Asset(
        name: "chirp.\(hash(EmbeddedFiles.chirp_svg)).svg", "image/svg+xml", EmbeddedFiles.chirp_svg)

    /// The look of the pages: calm, one accent colour, large type, readable from 320 px on and at any text size. Lengths are in
    /// `rem` so that they grow with the reader's text size. Every pair of text and ground has a contrast of 7:1 or more
    /// (WCAG 2.2, 1.4.6); a test computes them from the variables. `chirp` is every page's, the others are one page's each.
    package static let styles: [String: Asset] = EmbeddedFiles.styles.reduce(into: [:]) {
        $0[$1.key] = Asset(name: "\($1.key).\(hash($1.value)).css", "text/css; charset=utf-8", $1.value)
    }

    /// Makes the pages more comfortable; what can be read can be read without. They are modules that import each other by their plain names,
    /// so all of them lie in a folder that is named by the bytes of all.
    package static let scripts: [String: Asset] = {
        // The service worker has an address of its own.
        let files = EmbeddedFiles.scripts.filter { $0.key != "sw" }
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
