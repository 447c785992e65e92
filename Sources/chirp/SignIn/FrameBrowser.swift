import ChirpCore
import FoundationEssentials
import Glibc

/// A browser of this machine that shows one page and nothing else, in a window and with a memory of its own.
struct FrameBrowser: Sendable {
    /// The program's file and what it is told before the address.
    let path: String
    let arguments: [String]
    /// It stays for as long as its window is open; other openers end at once.
    let stays: Bool

    private static let chromiums = [
        "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "microsoft-edge", "brave-browser",
    ]

    /// The first that is there; nil without any.
    ///
    /// - Parameters:
    ///   - folder: where its memory lies.
    ///   - fillsScreen: otherwise it has a window like any other.
    static func find(folder: String, fillsScreen: Bool, searchPath: String) -> FrameBrowser? {
        let folders = searchPath.split(separator: ":").map(String.init)
        func file(_ name: String) -> String? {
            folders.lazy.map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
        }
        if let path = chromiums.lazy.compactMap(file).first {
            // Sound plays by itself: nobody presses anything on a wall.
            let usual = [
                "--user-data-dir=\(folder)", "--no-first-run", "--no-default-browser-check",
                "--autoplay-policy=no-user-gesture-required", "--disable-session-crashed-bubble",
            ]
            return FrameBrowser(
                path: path, arguments: usual + (fillsScreen ? ["--start-fullscreen"] : []) + ["--app="], stays: true)
        }
        if let path = file("firefox") ?? file("firefox-esr") {
            return FrameBrowser(
                path: path, arguments: ["--new-instance", "--profile", folder] + (fillsScreen ? ["--kiosk"] : []),
                stays: true)
        }
        return file("xdg-open").map { FrameBrowser(path: $0, arguments: [], stays: false) }
    }

    /// Its words, the address among them.
    func words(_ address: String) -> [String] {
        guard let last = arguments.last, last.hasSuffix("=") else { return [path] + arguments + [address] }
        return [path] + arguments.dropLast() + [last + address]
    }

    /// Shows an address until the window is closed, the browser dies or the task is cancelled, which ends it.
    ///
    /// - Returns: whether it ended by itself and well.
    func show(_ address: String) async -> Bool { await Self.run(words(address)) }

    /// Keeps the machine from going to sleep until the task is cancelled. Without the program that can, nothing happens.
    static func keepAwake() async {
        _ = await run([
            "systemd-inhibit", "--what=idle:sleep", "--who=chirp", "--why=A frame is shown", "sleep", "infinity",
        ])
    }

    private static func run(_ words: [String]) async -> Bool {
        guard let program = words.first,
            let process = ProgramStart(program: program, words: words, leadsGroup: true).start()
        else { return false }
        return await withTaskCancellationHandler {
            await offPool {
                var status: Int32 = 0
                while waitpid(process, &status, 0) < 0 { guard errno == EINTR else { return false } }
                return status == 0
            }
        } onCancel: {
            // It leads a group of its own, with whatever it has started.
            kill(-process, SIGTERM)
        }
    }
}
