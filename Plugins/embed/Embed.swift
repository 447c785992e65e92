import Foundation

/// Writes files into a source of Swift, each as the bytes of a text: `chirp.css` is `EmbeddedFiles.chirp_css`.
@main struct Embed {
    /// A file that is no text of lines.
    struct NoText: Error, CustomStringConvertible {
        let path: String
        var description: String { "embed: '\(path)' is no UTF-8 text without returns and NULs" }
    }

    /// Takes the path of what is written, and the paths of the files.
    static func main() throws {
        let paths = CommandLine.arguments.dropFirst()
        guard let output = paths.first else { return }
        var source = "/// Made by the build of the files in `Resources`.\nenum EmbeddedFiles {\n"
        var scripts = ""
        for path in paths.dropFirst() {
            let url = URL(filePath: path)
            guard let text = String(data: try Data(contentsOf: url), encoding: .utf8),
                !text.utf8.contains(where: { $0 == 0 || $0 == 13 })
            else { throw NoText(path: path) }
            let name = String(url.lastPathComponent.map { $0.isLetter || $0.isNumber ? $0 : "_" })
            let marks = marks(around: text)
            source += "    static let \(name) = Array(\(marks)\"\"\"\n\(text)\n\"\"\"\(marks).utf8)\n"
            if url.pathExtension == "js" {
                scripts += "        \"\(url.deletingPathExtension().lastPathComponent)\": \(name),\n"
            }
        }
        source +=
            "    /// Scripts by their names without `.js`.\n    static let scripts: [String: [UInt8]] = [\n\(scripts)    ]\n}\n"
        try Data(source.utf8).write(to: URL(filePath: output), options: .atomic)
    }

    /// So many number signs that nothing in the text is the end of the literal or an escape in it.
    private static func marks(around text: String) -> String {
        var marks = "#"
        while text.contains("\"\"\"" + marks) || text.contains("\\" + marks) { marks += "#" }
        return marks
    }
}
