/// The id of a clip at a hub: 22 letters and digits without those that look alike, as hubs make them themselves.
///
/// The client draws it from the system's secure random numbers, so that it can be written down before the hub has heard of the
/// clip, and an upload that is begun twice is one clip. It is also the secret part of the clip's link (128.9 bits).
enum HubClipID {
    private static let length = 22
    private static let alphabet = Array("123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz".utf8)

    static func make() -> StoredObject.ID {
        let letters = (0..<length).map { _ in alphabet[Int.random(in: 0..<alphabet.count)] }
        return StoredObject.ID(String(decoding: letters, as: UTF8.self))
    }

    /// Whether it can be one: ids come back from journals and command lines, and become part of addresses.
    static func isOne(_ id: StoredObject.ID) -> Bool {
        id.text.utf8.count == length && id.text.utf8.allSatisfy(alphabet.contains)
    }
}
