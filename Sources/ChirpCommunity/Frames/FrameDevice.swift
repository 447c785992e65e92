package import ChirpAccounts
package import FoundationEssentials
internal import GRDB

/// A frame: a screen that shows what one person posts. Its browser holds a token that reads and does nothing else.
package struct FrameDevice: Hashable, Sendable, Identifiable {
    /// Where the person posts.
    package enum Network: String, Hashable, Sendable, CaseIterable { case hub, mastodon, x }

    /// How far it was set up.
    package enum Step: String, Hashable, Sendable { case network, friends, watch }

    package let id: String
    /// As the list of frames has it; plain text.
    package let name: String
    /// Who cares for it, and whose eyes it has at this hub.
    package let account: AccountID?
    package let network: Network?
    package let step: Step
    /// Whom it shows, at this hub.
    package let vip: AccountID?
    package let crop: FrameCrop
    package let style: FrameStyle
    /// What is known of another network, for whoever has the hub's key.
    package let sealed: [UInt8]?
    /// The tokens there that are renewed, for whoever has the hub's key.
    package let tokens: [UInt8]?
    /// Why it went back a step.
    package let why: String?
    package let created: Date
    package let visited: Date
    /// When the network last answered.
    package let contact: Date?
    /// Up to where the network was read.
    package let cursor: String?
    /// Everything up to this update was shown.
    package let seen: Int64
    /// Rises with each change that its screen must hear of.
    package let version: Int64
    /// Of its photo, lower-case hexadecimal; nil when it has none of its own kept.
    package let photo: String?
    /// Somebody has chosen that photo.
    package let hasOwnPhoto: Bool

    static let columns = """
        frames.*, (SELECT sha256 FROM framePhotos WHERE frame = frames.id) AS photo,
        (SELECT isOwn FROM framePhotos WHERE frame = frames.id) AS isOwn
        """

    init(_ row: Row) {
        id = row["id"]
        name = row["name"]
        account = row["account"]
        network = (row["network"] as String?).flatMap(Network.init)
        step = Step(rawValue: row["step"]) ?? .network
        vip = row["vip"]
        crop = Self.read(row["crop"]) ?? FrameCrop()
        style = Self.read(row["style"]) ?? FrameStyle()
        sealed = (row["sealed"] as Data?).map(Array.init)
        tokens = (row["tokens"] as Data?).map(Array.init)
        why = row["why"]
        created = HubLibrary.date(row["created"])
        visited = HubLibrary.date(row["visited"])
        contact = (row["contact"] as Int64?).map(HubLibrary.date)
        cursor = row["cursor"]
        seen = row["seen"]
        version = row["version"]
        photo = row["photo"]
        hasOwnPhoto = (row["isOwn"] as Bool?) ?? false
    }

    private static func read<T: Decodable>(_ text: String) -> T? {
        try? JSONDecoder().decode(T.self, from: Data(text.utf8))
    }

    static func text(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }
}

/// Why a frame's token opens nothing any more.
package enum FrameEnd: String, Hashable, Sendable {
    /// Its caretaker has ended it.
    case ended
    /// The account that it belonged to is gone or closed.
    case account
    /// The other network no longer accepts its sign-in.
    case revoked
    /// Nobody has set it up for a day.
    case forgotten
}
