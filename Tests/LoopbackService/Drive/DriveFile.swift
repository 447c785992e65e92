/// A file or folder of the loopback Drive.
public struct DriveFile: Hashable, Sendable {
    public struct Permission: Hashable, Sendable {
        public var id: String
        public var type: String
        public var role: String
    }

    static let folderType = "application/vnd.google-apps.folder"

    public var id: String
    public var name: String
    public var mimeType: String
    public var parents: [String] = ["root"]
    public var appProperties: [String: String] = [:]
    public var permissions: [Permission] = []
    public var isTrashed = false
    /// RFC 3339; grows with every file.
    public var created: String
    public var size: Int64 = 0
    /// Lower-case hexadecimal.
    public var md5 = ""
    /// Lower-case hexadecimal; empty when the service does not tell it.
    public var sha256 = ""
    /// Empty when the service was told not to keep content.
    public var content: [UInt8] = []

    public var isFolder: Bool { mimeType == Self.folderType }

    func resource(web: String) -> [String: Any] {
        var resource: [String: Any] = [
            "kind": "drive#file", "id": id, "name": name, "mimeType": mimeType, "parents": parents,
            "trashed": isTrashed, "createdTime": created,
            "permissions": permissions.map { ["id": $0.id, "type": $0.type, "role": $0.role] },
        ]
        if !appProperties.isEmpty { resource["appProperties"] = appProperties }
        if isFolder {
            resource["webViewLink"] = "\(web)/drive/folders/\(id)"
        } else {
            resource["size"] = "\(size)"
            resource["md5Checksum"] = md5
            if !sha256.isEmpty { resource["sha256Checksum"] = sha256 }
            resource["webViewLink"] = "\(web)/file/d/\(id)/view?usp=drivesdk"
            resource["webContentLink"] = "\(web)/uc?id=\(id)&export=download"
        }
        return resource
    }
}
