internal import ChirpCommunity
internal import ChirpDatabase
internal import ChirpTestKit
internal import Foundation
internal import GRDB
internal import Synchronization

/// Libraries with nothing in them, each made once: to take every step of the tables costs a fifth of a second of a processor, and nine
/// hundred tests begin with a library of their own.
enum FreshLibrary {
    private static let made = Mutex<[[SchemaStep]: Data]>([:])

    /// Puts one where none is. All have the same key by which places are veiled.
    ///
    /// - Parameter folder: the library's, which is made.
    static func put(into folder: String, boards: [BoardTables]) throws {
        let steps = boards.flatMap { [SchemaStep($0.name, "")] + $0.steps }
        let file = try made.withLock { made in
            if let file = made[steps] { return file }
            let file = try make(boards)
            made[steps] = file
            return file
        }
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        guard
            FileManager.default.createFile(
                atPath: "\(folder)/hub.sqlite", contents: file, attributes: [.posixPermissions: 0o600])
        else { throw CocoaError(.fileWriteUnknown) }
    }

    private static func make(_ boards: [BoardTables]) throws -> Data {
        let place = try TemporaryFolder()
        let library = try HubLibrary(folder: place.path("hub"), now: { HubHousehold.start }, boards: boards)
        return try withExtendedLifetime(library) {
            try DatabaseQueue(path: place.path("hub/hub.sqlite")).vacuum(into: place.path("fresh.sqlite"))
            return try Data(contentsOf: URL(filePath: place.path("fresh.sqlite")))
        }
    }
}
