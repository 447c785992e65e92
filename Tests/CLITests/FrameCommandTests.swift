import Foundation
import Glibc
import LoopbackService
import Synchronization
import Testing

/// A frame on this machine's screen; a script stands in for the browser.
@Suite struct FrameCommandTests {
    @Test func `a screen that is there before its hub shows nothing until that answers`() async throws {
        let home = try Household()
        let isThere = Mutex(false)
        let hub = try LoopbackServer { _ in LoopbackServer.Reply(isThere.withLock { $0 } ? 200 : 503) }
        let tools = home.path("tools")
        try FileManager.default.createDirectory(atPath: tools, withIntermediateDirectories: true)
        let browser = home.path("tools/chromium")
        let shown = home.path("shown")
        try Data("#!/bin/sh\nfor last; do :; done\nprintf %s \"$last\" >\(shown)\nexec sleep 60\n".utf8)
            .write(to: URL(filePath: browser))
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: browser)

        let screen = try home.startShell("PATH=\(tools):$PATH exec chirp frame --hub \(hub.base)")
        // Asked again, so it was not content with the first answer.
        await eventually { hub.requests.count >= 2 }
        #expect(!FileManager.default.fileExists(atPath: shown))
        isThere.withLock { $0 = true }
        await eventually { (try? String(contentsOfFile: shown, encoding: .utf8)) == "--app=\(hub.base)/frame" }
        screen.send(SIGINT)
        #expect(try await screen.outcome().status == 130)
    }
}
