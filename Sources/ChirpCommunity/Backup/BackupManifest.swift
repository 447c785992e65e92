internal import ChirpCore
internal import FoundationEssentials

/// The first member of a backup: what the others are.
struct BackupManifest: Codable, Hashable, Sendable {
    struct Entry: Codable, Hashable, Sendable {
        let name: String
        let bytes: Int64
        /// Lower-case hexadecimal.
        let sha256: String
        /// An earlier member that is the same file: what is sold is what its author has sent. Then it has no content of its own in the archive.
        var same: String?
        /// True for a clip that is kept in the store that its row in the database names, and is not in the archive.
        var stored: Bool?
    }

    static let name = "manifest.json"
    /// The newest form that this release writes and reads. The second has pictures, the third films, and the fourth what was sold
    /// and the secret that signs licences, the fifth clips that are kept in a store; without any, the form before is written, which earlier
    /// releases read.
    static let version = 5
    /// The most that is read of one: two million files.
    static let mostBytes = 256 << 20
    /// Each file is an object of three to five members. What an archive holds, others may have written.
    private static let limits = UntrustedJSON.Limits(bytes: mostBytes, depth: 8, values: 16_000_000)
    /// An entry as long as any.
    static func room(for member: BackupMember) -> Entry {
        Entry(
            name: member.name, bytes: Int64(UntrustedSize.limit), sha256: String(repeating: "0", count: 64),
            same: member.isKept ? BackupMember.film(HubID(), .original).name : nil,
            stored: member.isClip ? true : nil)
    }

    var v = 1
    /// When the database was copied, as ISO 8601 has it.
    let created: String
    /// The release that wrote it.
    let program: String
    /// In the archive's order.
    var members: [Entry]

    init(created: String, program: String, members: [Entry]) {
        self.created = created
        self.program = program
        self.members = members
    }

    /// As JSON, one line.
    func json() -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Strings and numbers always can be written.
        return Array((try? encoder.encode(self)) ?? Data())
    }

    /// - Parameter path: the archive, for errors.
    /// - Throws: ``BackupError/noBackup(path:reason:)``, ``BackupError/newerBackup(path:)``.
    init(json: [UInt8], path: String) throws(BackupError) {
        struct Version: Decodable { let v: Int }
        guard let version = try? UntrustedJSON.decode(Version.self, from: json, Self.limits) else {
            throw .noBackup(path: path, reason: "its list of contents cannot be read")
        }
        guard version.v <= Self.version else { throw .newerBackup(path: path) }
        guard version.v >= 1, let manifest = try? UntrustedJSON.decode(Self.self, from: json, Self.limits)
        else {
            throw .noBackup(path: path, reason: "its list of contents cannot be read")
        }
        self = manifest
    }

    /// The members that it names, in its order, with no name twice and none that a backup does not have.
    ///
    /// - Parameter path: the archive, for errors.
    func checkedMembers(path: String) throws(BackupError) -> [(member: BackupMember, entry: Entry)] {
        var seen = [BackupMember: Entry]()
        var result: [(BackupMember, Entry)] = []
        for entry in members {
            guard let member = BackupMember(entry.name) else {
                throw .noBackup(path: path, reason: "it names '\(PlainText(entry.name, limit: 60))', which no hub has")
            }
            guard seen.updateValue(entry, forKey: member) == nil else {
                throw .noBackup(path: path, reason: "it names '\(entry.name)' twice")
            }
            guard UntrustedSize.exactly(entry.bytes) != nil, !member.isKey || entry.bytes == BackupMember.keyBytes
            else {
                throw .noBackup(path: path, reason: "the size of '\(entry.name)' makes no sense")
            }
            if let same = entry.same {
                guard member.isKept, let other = BackupMember(same), case .film(_, .original) = other,
                    let known = seen[other],
                    known.bytes == entry.bytes, known.sha256 == entry.sha256
                else {
                    throw .noBackup(path: path, reason: "'\(entry.name)' is said to be a file that it is not")
                }
            }
            guard entry.stored == nil || entry.stored == true && member.isClip else {
                throw .noBackup(path: path, reason: "'\(entry.name)' is said to be in a store")
            }
            result.append((member, entry))
        }
        guard seen[.database] != nil else { throw .noBackup(path: path, reason: "it has no database") }
        return result
    }
}
