import ChirpCore
import ChirpFiles
import FoundationEssentials
import Glibc

/// Copies of pipes that killed runs have left in the folder of temporaries.
enum LeftoverCheck {
    /// What is younger may belong to a run in progress.
    static let age = 3600

    static func finding(temporary folder: String) -> Finding {
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter { name in
            var status = stat()
            return name.hasPrefix("chirp-input-") && lstat("\(folder)/\(name)", &status) == 0
                && status.st_uid == getuid() && FileAge.seconds(from: status.st_mtim.tv_sec, to: time(nil)) > age
        }
        guard !names.isEmpty else { return .ok("leftovers", "none in \(folder)") }
        return .note(
            "leftovers", "\(names.count) \(names.count == 1 ? "file" : "files") of killed runs in \(folder)",
            cure: "Run: rm \(folder)/chirp-input-*")
    }
}
