package import ChirpAudio
internal import ChirpFiles
internal import Glibc

/// Where the user's files are, by the XDG Base Directory Specification 0.8.
///
/// An unset or empty variable means the specification's default; a relative path in one is ignored, as it demands.
package struct Paths: Sendable {
    /// `config.yaml` and `credentials.json` are here.
    package let configuration: String
    /// Pages and audio of the embedded hub.
    package let hub: String
    /// The journal is here.
    package let state: String
    /// Clips of the folder store, unless it is told otherwise.
    package let clips: String
    /// Recordings of the microphone.
    package let takes: String
    /// What was fetched from others.
    package let cache: String
    /// Copies of what came through a pipe, while a command runs: `$TMPDIR`, or `/tmp`.
    package let temporary: String

    /// - Parameter isStaging: the hub is one to try things on: it, and what is on its way to it, lie apart from the real one.
    package init(environment: [String: String], isStaging: Bool = false) {
        let home = Self.absolute(environment["HOME"]) ?? Self.homeOfAccount
        func folder(_ variable: String, _ fallback: String) -> String {
            (Self.absolute(environment[variable]) ?? "\(home)/\(fallback)") + "/chirp"
        }
        configuration = folder("XDG_CONFIG_HOME", ".config")
        let suffix = isStaging ? "-staging" : ""
        hub = folder("XDG_DATA_HOME", ".local/share") + suffix + "/hub"
        clips = folder("XDG_DATA_HOME", ".local/share") + "/clips"
        takes = folder("XDG_DATA_HOME", ".local/share") + "/takes"
        state = folder("XDG_STATE_HOME", ".local/state") + suffix
        cache = folder("XDG_CACHE_HOME", ".cache")
        temporary = Self.absolute(environment["TMPDIR"]) ?? "/tmp"
    }

    package var configurationFile: String { "\(configuration)/config.yaml" }
    package var credentialsFile: String { "\(configuration)/credentials.json" }
    package var journalFile: String { "\(state)/journal.sqlite" }
    /// What live listening does not show.
    package var liveLog: String { "\(state)/live.log" }
    /// Clips that are not published yet, and copies of pipes until they are clips.
    package var outbox: String { "\(state)/outbox" }

    /// Makes the outbox folder, for its owner alone.
    package func makeOutbox() throws(AudioError) -> String {
        var made = ""
        for part in outbox.split(separator: "/") {
            made += "/" + part
            if mkdir(made, 0o700) != 0 && errno != EEXIST {
                throw .uncreatable(path: made, reason: .system(.current))
            }
        }
        return outbox
    }

    private static func absolute(_ path: String?) -> String? {
        guard let path, path.hasPrefix("/") else { return nil }
        return path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    }

    private static var homeOfAccount: String {
        guard let entry = getpwuid(getuid()), let path = entry.pointee.pw_dir else { return "/" }
        return String(cString: path)
    }
}
