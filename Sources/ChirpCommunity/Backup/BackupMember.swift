/// What a backup is made of, besides its manifest. A name that is none of these is nothing that a backup holds, so no name from an
/// archive ever becomes a path.
enum BackupMember: Hashable, Sendable {
    case database
    /// The secret that signs what forms carry.
    case key
    /// The secret that signs licences.
    case licenceKey
    case clip(HubID)
    case picture(HubID, HubPicture.Size)
    case film(HubID, HubFilm.File)
    /// What a board keeps, by its SHA-256.
    case kept(String)

    /// The length of every key.
    static let keyBytes = 32

    var isClip: Bool { if case .clip = self { true } else { false } }

    var isKept: Bool { if case .kept = self { true } else { false } }

    /// Whether it is a secret of ``keyBytes``.
    var isKey: Bool { self == .key || self == .licenceKey }

    /// Where it lies, in the archive and below the hub's folder alike.
    var name: String {
        switch self {
        case .database: "hub.sqlite"
        case .key: "key"
        case .licenceKey: "licence-key"
        case .clip(let id): "media/\(id.text).mp3"
        case .picture(let id, let size): "pictures/\(PictureFolder.name(id, size))"
        case .film(let id, let file): "films/\(FilmFolder.name(id, file))"
        case .kept(let sha256): "\(KeptFile.folder)/\(sha256)"
        }
    }

    init?(_ name: String) {
        switch name {
        case "hub.sqlite": self = .database
        case "key": self = .key
        case "licence-key": self = .licenceKey
        default:
            if name.hasPrefix("pictures/") {
                guard let (id, size) = PictureFolder.parts(name.dropFirst(9)) else { return nil }
                self = .picture(id, size)
                return
            }
            if name.hasPrefix("films/") {
                guard let (id, file) = FilmFolder.parts(name.dropFirst(6)) else { return nil }
                self = .film(id, file)
                return
            }
            if name.hasPrefix("\(KeptFile.folder)/") {
                let digest = name.dropFirst(KeptFile.folder.count + 1)
                guard KeptFile.isDigest(digest) else { return nil }
                self = .kept(String(digest))
                return
            }
            guard name.hasPrefix("media/"), name.hasSuffix(".mp3"),
                let id = HubID(name.dropFirst(6).dropLast(4))
            else { return nil }
            self = .clip(id)
        }
    }
}
