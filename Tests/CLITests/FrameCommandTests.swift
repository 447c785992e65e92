import Foundation
import Glibc
import Testing

/// A frame on this machine's screen; a script stands in for the browser.
@Suite struct FrameCommandTests {
    @Test func `a screen that is there before its hub shows nothing until that answers`() async throws {
        let home = try Household()
        // A port that a hub has had, and will have again.
        var port = 0
        _ = try await home.serving { port = $0 }
        let tools = home.path("tools")
        try FileManager.default.createDirectory(atPath: tools, withIntermediateDirectories: true)
        let browser = home.path("tools/chromium")
        let shown = home.path("shown")
        try Data("#!/bin/sh\nfor last; do :; done\nprintf %s \"$last\" >\(shown)\nexec sleep 60\n".utf8)
            .write(to: URL(filePath: browser))
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: browser)

        let screen = try home.startShell("PATH=\(tools):$PATH exec chirp frame --hub http://127.0.0.1:\(port) 2>notes")
        await eventually {
            (try? String(contentsOfFile: home.path("notes"), encoding: .utf8))?.contains("Nobody answers there yet")
                == true
        }
        #expect(!FileManager.default.fileExists(atPath: shown))
        _ = try await home.serving(["--port", "\(port)"]) { port in
            await eventually {
                (try? String(contentsOfFile: shown, encoding: .utf8)) == "--app=http://127.0.0.1:\(port)/frame"
            }
        }
        screen.send(SIGINT)
        #expect(try await screen.outcome().status == 130)
    }
}
