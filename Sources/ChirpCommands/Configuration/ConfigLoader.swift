internal import Glibc
internal import Yams

/// Merges built-in values < file < environment. Flags are put on top by the commands that have them.
struct ConfigLoader: Sendable {
    let paths: Paths
    let environment: [String: String]

    /// - Parameter file: as given with `--config`; nil for the usual one, which need not exist.
    func load(file: String?) throws(ConfigError) -> Config {
        var config = Config()
        if let text = try contents(of: file) {
            try read(text.contents, from: text.path, into: &config)
            let secrets = [config.googleClientSecret, config.xClientSecret]
            // A group may be there to share it, as that of a service; the whole machine is not.
            if text.mode & 0o006 != 0, secrets.contains(where: { $0.value != nil }) { config.exposedFile = text.path }
        }
        // Making the list of all settings takes 1.3 ms, a thirtieth of the time of a short clip.
        guard environment.keys.contains(where: { $0.hasPrefix("CHIRP_") }) else { return config }
        for field in ConfigField.all {
            guard let text = environment[field.variable], !text.isEmpty else { continue }
            do throws(BadValue) {
                try field.set(&config, text, .environment(name: field.variable))
            } catch {
                throw .badValue(key: field.name, place: field.variable, value: error, example: field.example)
            }
        }
        return config
    }

    /// The most that a configuration may be. A larger file is some other file.
    private static let maximumBytes = 1_000_000

    private func contents(of file: String?) throws(ConfigError) -> (path: String, contents: String, mode: mode_t)? {
        let path = file ?? paths.configurationFile
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if file == nil && (errno == ENOENT || errno == ENOTDIR) { return nil }
            throw .unreadable(path: path, reason: String(cString: strerror(errno)))
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            throw .unreadable(path: path, reason: String(cString: strerror(errno)))
        }
        guard status.st_mode & S_IFMT != S_IFDIR else { throw .unreadable(path: path, reason: "it is a directory") }
        guard let text = String(validating: try bytes(descriptor, path), as: UTF8.self) else {
            throw .unreadable(path: path, reason: "it is not UTF-8 text")
        }
        return (path, text, status.st_mode)
    }

    /// Everything up to the end, whatever size the system names: it may be a pipe, and a device may have no end.
    private func bytes(_ descriptor: Int32, _ path: String) throws(ConfigError) -> [UInt8] {
        var all: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = Glibc.read(descriptor, &piece, piece.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw .unreadable(path: path, reason: String(cString: strerror(errno))) }
            if count == 0 { return all }
            all += piece[..<count]
            guard all.count <= Self.maximumBytes else { throw .unreadable(path: path, reason: "it is too large") }
        }
    }

    private func read(_ text: String, from path: String, into config: inout Config) throws(ConfigError) {
        let root: Node?
        do {
            root = try Yams.compose(yaml: text)
        } catch let error as YamlError {
            throw Self.malformed(error, path)
        } catch {
            throw .malformed(path: path, line: 1, reason: "it is no YAML")
        }
        guard let root else { return }  // an empty file
        if root.scalar?.string.isEmpty == true { return }  // only comments
        try read(root, prefix: "", path, &config)
    }

    private func read(_ node: Node, prefix: String, _ path: String, _ config: inout Config) throws(ConfigError) {
        guard let mapping = node.mapping else {
            throw .malformed(path: path, line: node.mark?.line ?? 1, reason: "settings are expected here")
        }
        for (keyNode, value) in mapping {
            let line = keyNode.mark?.line ?? 1
            let key = prefix + (keyNode.scalar?.string ?? "?")
            if let field = ConfigField.all.first(where: { $0.name == key }) {
                guard let scalar = value.scalar else {
                    throw .badValue(
                        key: key, place: "\(path):\(line)", value: BadValue("…", needs: "one value"),
                        example: field.example)
                }
                do throws(BadValue) {
                    try field.set(&config, scalar.string, .file(path: path, line: line))
                } catch {
                    throw .badValue(key: key, place: "\(path):\(line)", value: error, example: field.example)
                }
            } else if ConfigField.all.contains(where: { $0.name.hasPrefix(key + ".") }) {
                try read(value, prefix: key + ".", path, &config)
            } else {
                throw .unknown(key: key, path: path, line: line, suggestion: Self.nearest(to: key))
            }
        }
    }

    private static func malformed(_ error: YamlError, _ path: String) -> ConfigError {
        switch error {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            .malformed(path: path, line: mark.line, reason: "it is no YAML: \(problem)")
        case .duplicatedKeysInMapping(let duplicates, let context):
            .malformed(
                path: path, line: context.mark.line, reason: "'\(duplicates.first ?? "?")' is set more than once")
        default: .malformed(path: path, line: 1, reason: "it is no YAML")
        }
    }

    /// The setting that a mistyped key most likely means.
    static func nearest(to key: String) -> String? {
        let candidates = ConfigField.all.map { ($0.name, distance(key.lowercased(), $0.name.lowercased())) }
        guard let best = candidates.min(by: { $0.1 < $1.1 }), best.1 <= max(2, key.count / 3) else {
            let tail = key.split(separator: ".").last.map { $0.lowercased() }
            return ConfigField.all.first { $0.name.lowercased().split(separator: ".").last.map(String.init) == tail }?
                .name
        }
        return best.0
    }

    /// Levenshtein's distance.
    private static func distance(_ a: String, _ b: String) -> Int {
        let b = Array(b.prefix(100))
        var row = Array(0...b.count)
        for (i, x) in a.prefix(100).enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, y) in b.enumerated() {
                let above = row[j + 1]
                row[j + 1] = min(above + 1, row[j] + 1, diagonal + (x == y ? 0 : 1))
                diagonal = above
            }
        }
        return row[b.count]
    }
}
