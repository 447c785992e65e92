internal import Crypto

/// A file that pages need, held in the program. Its name changes with its bytes, so browsers may keep it for ever.
struct Asset: Sendable {
    let name: String
    let contentType: String
    let bytes: [UInt8]

    private init(_ stem: String, _ suffix: String, _ contentType: String, _ text: String) {
        bytes = Array(text.utf8)
        name = "\(stem).\(hexadecimal(SHA256.hash(data: bytes).prefix(6))).\(suffix)"
        self.contentType = contentType
    }

    static let stylesheet = Asset("chirp", "css", "text/css; charset=utf-8", Stylesheet.text)
    static let script = Asset("chirp", "js", "text/javascript; charset=utf-8", Script.text)
    static let icon = Asset("chirp", "svg", "image/svg+xml", Icon.file)
    static let all = [stylesheet, script, icon]
}
