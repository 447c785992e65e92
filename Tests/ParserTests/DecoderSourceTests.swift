import Foundation
import Testing

/// Bytes from outside become values in `UntrustedJSON` alone. A decoder elsewhere is a listed exception, which says why its bytes are this
/// program's own.
@Suite struct DecoderSourceTests {
    private static let trusted = [
        // The gate itself.
        "ChirpCore/JSON/UntrustedJSON.swift": 1,
        // Columns of the hub's own tables, which its own encoder wrote.
        "ChirpAccounts/Letters/Accounts+Outbox.swift": 1, "ChirpBeats/Licence/LicenceTerms+JSON.swift": 1,
        "ChirpBeats/Prints/TrackComparison.swift": 1, "ChirpBeats/Stems/TrackStems.swift": 1,
        "ChirpBeats/Tagging/TrackTag.swift": 2, "ChirpBeats/TrackStore/TrackFindings.swift": 1,
        "ChirpCommunity/Frames/FrameDevice.swift": 1, "ChirpFrame/FrameWatcher.swift": 1,
        "ChirpListings/Match/MatchStore.swift": 1, "ChirpOrders/Store/OrderStore+Events.swift": 1,
        "ChirpRecords/Announcement/RecordAnnouncements.swift": 1, "ChirpRecords/Media/AttemptMediaWork.swift": 1,
        // Sealed by the hub's own key.
        "ChirpFrame/FrameSeal.swift": 1,
        // Files of the person who runs the program, and its journal.
        "ChirpFlows/JSONText.swift": 1, "ChirpOAuth/CredentialStore.swift": 1,
        "ChirpOwnHub/Backup/BackupDiary.swift": 1,
        "ChirpCommands/Configuration/ConfigLoader.swift": 1,
        // What the program asks itself, and the question of a parent to its child, which trusts it with more.
        "ChirpIntake/Rehearsal.swift": 1, "chirp/Boards/ListingBoard.swift": 1,
        "chirp/Commands/HubOnwardCommand.swift": 1,
        "chirp/Commands/ManualCommand.swift": 1, "chirp/OwnProgram.swift": 1,
    ]

    private static let sources = URL(filePath: #filePath).appending(path: "../../../Sources").standardized

    /// What makes values of bytes: in Foundation, and of this project's names for it.
    private static let decoders = ["JSONDecoder(", "JSONSerialization", "PropertyListDecoder", "XMLParser(", "Yams."]

    @Test func `bytes from outside are decoded in one place`() throws {
        let names = try FileManager.default.subpathsOfDirectory(atPath: Self.sources.path)
            .filter { $0.hasSuffix(".swift") }
        try #require(names.count > 1000)
        var found: [String: Int] = [:]
        for name in names {
            let text = try Data(contentsOf: Self.sources.appending(path: name))
            for decoder in Self.decoders {
                var rest = text[...]
                while let range = rest.firstRange(of: Data(decoder.utf8)) {
                    found[name, default: 0] += 1
                    rest = rest[range.upperBound...]
                }
            }
        }
        for (name, count) in found.sorted(by: { $0.key < $1.key }) {
            #expect(
                Self.trusted[name, default: 0] == count,
                "Sources/\(name) decodes by itself: use UntrustedJSON, or say here why its bytes are nobody else's")
        }
        for name in Self.trusted.keys.sorted() {
            #expect(found[name] != nil, "Sources/\(name) decodes nothing any more")
        }
    }
}
