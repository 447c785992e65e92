import Foundation
import Testing

/// What answers requests reads through a viewer. What reads past it is named so, or is listed here with the files that may.
@Suite struct UnfilteredReadTests {
    /// By what they are called. No file of these answers a request of a stranger with what it has read.
    private static let readers: [(call: String, files: Set<String>)] = [
        // Work on clips, and the store of the owner's own programs.
        (".unfilteredClip(", ["MediaWork.swift", "HubStore.swift"]),
        // The sound, by its address, with nothing else of the clip; and whether an attempt has a player.
        (".sound(at:", ["MediaRoutes.swift", "AttemptShow.swift"]),
        // Asks in SQL who is a moderator.
        (".moderatedClip(", ["CaseRoutes.swift"]),
    ]

    @Test func `no route reads a clip past its viewer`() throws {
        let sources = URL(filePath: #filePath).appending(path: "../../../Sources").standardized
        let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
        var found: [String: Set<String>] = [:]
        var tables: Set<String> = []
        for case let file as URL in files where file.pathExtension == "swift" {
            let text = try String(contentsOf: file, encoding: .utf8)
            let isLibrary = file.path.contains("/ChirpCommunity/")
            for (call, _) in Self.readers where text.contains(call) && !isLibrary {
                found[call, default: []].insert(file.lastPathComponent)
            }
            // Other modules' SQL has no viewer's condition on these.
            let reads = ["FROM", "JOIN"].flatMap { way in ["clips", "posts", "transcripts"].map { "\(way) \($0)" } }
            if !isLibrary, reads.contains(where: { text.contains($0) }) { tables.insert(file.lastPathComponent) }
        }
        for (call, allowed) in Self.readers { #expect(found[call] ?? [] == allowed, "\(call)") }
        // Triggers, and how long a recording is.
        #expect(tables == ["AnnouncementSchema.swift", "MediaSchema.swift", "AttemptStore+Media.swift"])
    }
}
