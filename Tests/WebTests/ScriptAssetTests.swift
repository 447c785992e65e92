import ChirpWeb
import Foundation
import Testing

/// Scripts import each other by name, and a name that leads nowhere stops the page's whole script.
struct ScriptAssetTests {
    @Test func `every script of the pages has an address`() throws {
        let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Sources").path(percentEncoded: false)
        let files = try FileManager.default.contentsOfDirectory(atPath: sources).flatMap { module in
            (try? FileManager.default.contentsOfDirectory(atPath: "\(sources)/\(module)/Resources")) ?? []
        }
        let scripts = files.filter { $0.hasSuffix(".js") }.map { String($0.dropLast(3)) }
        // The service worker is no part of a page.
        #expect(Set(scripts).subtracting(["sw"]) == Set(Asset.scripts.keys))
    }
}
