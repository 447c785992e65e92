/// The parts of Drive's answers that are used. All numbers are decimal strings of any length; ``ByteCount/init(decimal:)`` reads them.
struct DriveAbout: Decodable {
    struct Room: Decodable {
        /// Absent for unlimited storage.
        let limit: String?
        let usage: String?
    }
    let storageQuota: Room?
}

/// A file or folder, as far as it was asked for.
struct DriveFile: Decodable {
    struct Permission: Decodable {
        let type: String?
        let role: String?
    }

    let id: String
    let size: String?
    let md5Checksum: String?
    /// "If available", says the API's description.
    let sha256Checksum: String?
    let webViewLink: String?
    let trashed: Bool?
    let permissions: [Permission]?
    let appProperties: [String: String]?

    /// Whether anyone with the link can read it; unknown counts as no.
    var isPublic: Bool { permissions?.contains { $0.type == "anyone" } ?? false }
}

/// A page of a list.
struct DriveFileList: Decodable {
    let files: [DriveFile]?
    let nextPageToken: String?
}

struct DriveIDs: Decodable {
    let ids: [String]
}

/// What is written about a new file or folder.
struct DriveMetadata: Encodable {
    let id: String
    let name: String
    let mimeType: String
    var parents: [String]?
    let appProperties: [String: String]
}
