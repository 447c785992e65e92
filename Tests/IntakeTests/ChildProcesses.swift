import Foundation
import Glibc

/// Children of this process, told apart from those that other tests have: what is there later and was not there before.
///
/// Suites that use it run one after another, so that all new ones are their own.
struct ChildProcesses {
    private let before = Self.all()

    func new() -> [pid_t] { Self.all().filter { !before.contains($0) } }

    private static func all() -> [pid_t] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.compactMap { pid_t($0) }.filter { process in
            guard let stat = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else { return false }
            // The name stands in brackets and may hold anything; state and parent follow it (proc(5)).
            let fields = stat.split(separator: ")").last?.split(separator: " ") ?? []
            guard fields.count > 1, fields[1] == "\(getpid())", fields[0] != "Z" else { return false }
            let line = (try? String(contentsOfFile: "/proc/\(process)/cmdline", encoding: .utf8)) ?? ""
            return line.contains("intake-child")
        }
    }
}
