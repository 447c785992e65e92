import Foundation

/// Writes files into a source of Swift, each as the bytes of a text: `chirp.css` is `EmbeddedFiles.chirp_css`. Files of words that have one
/// name are one text; no other two files may have one name.
@main struct Embed {
    /// A file that is no text of lines.
    struct NoText: Error, CustomStringConvertible {
        let path: String
        var description: String { "embed: '\(path)' is no UTF-8 text without returns and NULs" }
    }

    /// Two files that would be one.
    struct SameName: Error, CustomStringConvertible {
        let path: String
        var description: String { "embed: '\(path)' has the name of another file" }
    }

    /// Takes the path of what is written, and the paths of the files.
    static func main() throws {
        let paths = CommandLine.arguments.dropFirst()
        guard let output = paths.first else { return }
        var source = "/// Made by the build of the files in `Resources`.\nenum EmbeddedFiles {\n"
        var texts: [String: String] = [:]
        for path in paths.dropFirst() {
            let url = URL(filePath: path)
            guard let text = String(data: try Data(contentsOf: url), encoding: .utf8),
                !text.utf8.contains(where: { $0 == 0 || $0 == 13 })
            else { throw NoText(path: path) }
            if let other = texts[url.lastPathComponent] {
                guard url.pathExtension == "words" else { throw SameName(path: path) }
                texts[url.lastPathComponent] = "\(other)\n\(text)"
            } else {
                texts[url.lastPathComponent] = text
            }
        }
        var (scripts, styles) = ("", "")
        for (file, text) in texts.sorted(by: { $0.key < $1.key }) {
            let name = String(file.map { $0.isLetter || $0.isNumber ? $0 : "_" })
            let marks = marks(around: text)
            source += "    static let \(name) = Array(\(marks)\"\"\"\n\(text)\n\"\"\"\(marks).utf8)\n"
            let entry = "        \"\(file.split(separator: ".").dropLast().joined(separator: "."))\": \(name),\n"
            if file.hasSuffix(".js") { scripts += entry }
            if file.hasSuffix(".css") { styles += entry }
        }
        source += """
                /// Scripts by their names without `.js`.
                static let scripts: [String: [UInt8]] = [
            \(scripts.isEmpty ? "        :\n" : scripts)    ]
                /// Style sheets by their names without `.css`.
                static let styles: [String: [UInt8]] = [
            \(styles.isEmpty ? "        :\n" : styles)    ]
            }

            """
        // A source that says the same already stays; written anew, it would be compiled again.
        let (made, file) = (Data(source.utf8), URL(filePath: output))
        if (try? Data(contentsOf: file)) != made { try made.write(to: file, options: .atomic) }
    }

    /// So many number signs that nothing in the text is the end of the literal or an escape in it.
    private static func marks(around text: String) -> String {
        var marks = "#"
        while text.contains("\"\"\"" + marks) || text.contains("\\" + marks) { marks += "#" }
        return marks
    }
}
