internal import ChirpFiles
package import FoundationEssentials
internal import Glibc

/// What the schedule of backups has done, in the hub's folder: so that a restart neither begins anew nor forgets what is due.
package struct BackupDiary: Codable, Hashable, Sendable {
    package struct Entry: Codable, Hashable, Sendable {
        package let created: Date
        package let name: String
        package let bytes: Int64
        /// ``BackupShelf/place``.
        package let place: String
    }

    package struct Failure: Codable, Hashable, Sendable {
        package let at: Date
        /// A sentence without its full stop.
        package let why: String
        /// How many there were since the last that succeeded.
        package let times: Int
    }

    package var v = 1
    package var last: Entry?
    /// Nil when the last attempt succeeded.
    package var failure: Failure?

    package init() {}

    /// In a hub's folder; an empty one when there is none, or it cannot be read.
    package init(folder: String) {
        self.init()
        var bytes: [UInt8] = []
        do throws(FileError) {
            try FileContent.read(Self.path(folder), limit: Self.mostBytes) { (piece) throws(FileError) in
                bytes += piece
            }
        } catch { return }
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        if let found = try? decoder.decode(Self.self, from: Data(bytes)) { self = found }
    }

    func write(to folder: String) throws(FileError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        guard let data = try? encoder.encode(self) else { throw FileError(path: Self.path(folder), number: EINVAL) }
        try AtomicFile.write(Array(data), to: Self.path(folder))
    }

    private static let mostBytes: Int64 = 1 << 16
    private static func path(_ folder: String) -> String { "\(folder)/backups.json" }
}
