import ChirpTestKit
import Foundation
import Glibc

/// Chromium without a window, driven over the DevTools protocol on a pair of pipes. Blocks; one thread at a time.
final class Browser {
    enum Failure: Error {
        case noAnswer
        case refused(String)
    }

    private let folder: TemporaryFolder
    private let process: StartedProgram
    private let input: Int32
    private let output: Int32
    private var session: String?
    private var number = 0
    private var pending: [UInt8] = []
    private var eventNames: [String] = []

    /// Starts it with an empty page.
    init(width: Int, height: Int) throws {
        folder = try TemporaryFolder()
        let (commands, answers) = (folder.path("commands"), folder.path("answers"))
        guard mkfifo(commands, 0o600) == 0, mkfifo(answers, 0o600) == 0 else { throw Failure.noAnswer }
        // Opened for both directions, a named pipe waits for nobody.
        input = Glibc.open(commands, O_RDWR | O_CLOEXEC)
        output = Glibc.open(answers, O_RDWR | O_CLOEXEC)
        process = try StartedProgram([
            "/bin/sh", "-c",
            """
            exec chromium --headless --no-sandbox --disable-gpu --mute-audio --force-prefers-reduced-motion \
            --user-data-dir='\(folder.path("profile"))' --remote-debugging-pipe about:blank \
            3<'\(commands)' 4>'\(answers)' 2>/dev/null
            """,
        ])
        let target = try send("Target.createTarget", ["url": "about:blank"])["targetId"] as? String ?? ""
        session = try send("Target.attachToTarget", ["targetId": target, "flatten": true])["sessionId"] as? String
        try send("Page.enable")
        try send(
            "Emulation.setDeviceMetricsOverride",
            ["width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600])
    }

    deinit {
        process.send(SIGTERM)
        process.wait()
        close(input)
        close(output)
    }

    /// Opens an address and waits until everything on the page is loaded.
    func open(_ url: String) throws {
        eventNames = []
        try send("Page.navigate", ["url": url])
        while !eventNames.contains("Page.loadEventFired") { note(try message()) }
    }

    /// Does something that leads to another page, and waits until everything on that is loaded.
    func follow(_ statement: String) throws {
        eventNames = []
        // Not now: the page would be gone before it has answered.
        _ = try value("setTimeout(() => { \(statement) }, 0)")
        while !eventNames.contains("Page.loadEventFired") { note(try message()) }
    }

    /// The value of an expression; a promise is waited for.
    func value(_ expression: String) throws -> String {
        let answer = try send(
            "Runtime.evaluate",
            ["expression": "Promise.resolve(\(expression)).then(String)", "awaitPromise": true, "returnByValue": true])
        guard answer["exceptionDetails"] == nil, let result = answer["result"] as? [String: Any] else {
            throw Failure.refused(expression)
        }
        return result["value"] as? String ?? ""
    }

    /// Presses and releases a key.
    func press(_ key: String, code: String, windowsCode: Int, text: String = "") throws {
        let facts: [String: Any] = ["key": key, "code": code, "windowsVirtualKeyCode": windowsCode]
        try send("Input.dispatchKeyEvent", facts.merging(["type": "keyDown", "text": text]) { $1 })
        try send("Input.dispatchKeyEvent", facts.merging(["type": "keyUp"]) { $1 })
    }

    @discardableResult
    private func send(_ method: String, _ parameters: [String: Any] = [:]) throws -> [String: Any] {
        number += 1
        var command: [String: Any] = ["id": number, "method": method, "params": parameters]
        command["sessionId"] = session
        var bytes = [UInt8](try JSONSerialization.data(withJSONObject: command)) + [0]
        guard write(input, &bytes, bytes.count) == bytes.count else { throw Failure.noAnswer }
        while true {
            let message = try message()
            guard message["id"] as? Int == number else {
                note(message)
                continue
            }
            guard let result = message["result"] as? [String: Any] else { throw Failure.refused(method) }
            return result
        }
    }

    private func note(_ message: [String: Any]) {
        if let name = message["method"] as? String { eventNames.append(name) }
    }

    /// The next message; each ends in a zero byte.
    private func message() throws -> [String: Any] {
        while true {
            if let end = pending.firstIndex(of: 0) {
                let text = Data(pending[..<end])
                pending.removeSubrange(...end)
                return try JSONSerialization.jsonObject(with: text) as? [String: Any] ?? [:]
            }
            var waiting = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
            guard poll(&waiting, 1, 30_000) == 1 else { throw Failure.noAnswer }
            var buffer = [UInt8](repeating: 0, count: 65_536)
            let got = read(output, &buffer, buffer.count)
            guard got > 0 else { throw Failure.noAnswer }
            pending += buffer[..<got]
        }
    }
}
