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

    @Test func `no script makes markup or code of text`() throws {
        let sources = URL(filePath: #filePath).appending(path: "../../../Sources").standardized
        let names = try FileManager.default.subpathsOfDirectory(atPath: sources.path).filter { $0.hasSuffix(".js") }
        try #require(names.count > 50)
        let ways =
            #/(?:inner|outer)HTML\s*\+?=(?!=)|insertAdjacentHTML|document\.write|\beval\s*\(|new Function|srcdoc/#
        for name in names {
            let text = try String(contentsOf: sources.appending(path: name), encoding: .utf8)
            for match in text.matches(of: ways) {
                Issue.record("Sources/\(name) has \(match.output): use textContent, or elements of a page of the hub")
            }
        }
    }
}
