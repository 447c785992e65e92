internal import ChirpFiles

/// A file that pages need, held in the program. Its name changes with its bytes, so browsers may keep it for ever.
///
/// The files are those of `Resources/`; the build embeds them.
package struct Asset: Sendable {
    /// What follows `/assets/`.
    package let name: String
    package let contentType: String
    package let bytes: [UInt8]

    private init(_ suffix: String, _ contentType: String, _ bytes: [UInt8]) {
        name = "chirp.\(FileDigest.sha256(of: bytes).prefix(12)).\(suffix)"
        self.contentType = contentType
        self.bytes = bytes
    }

    /// The look of the pages: calm, one accent colour, large type, readable from 320 px on and at any text size. Lengths are in
    /// `rem` so that they grow with the reader's text size. Every pair of text and ground has a contrast of 7:1 or more
    /// (WCAG 2.2, 1.4.6); a test computes them from the variables.
    package static let stylesheet = Asset("css", "text/css; charset=utf-8", PackageResources.chirp_css)
    /// What makes the pages more comfortable; every page works without it.
    package static let script = Asset("js", "text/javascript; charset=utf-8", PackageResources.chirp_js)
    /// The project's mark.
    package static let icon = Asset("svg", "image/svg+xml", PackageResources.chirp_svg)
    /// Every one there is.
    package static let all = [stylesheet, script, icon]
}
