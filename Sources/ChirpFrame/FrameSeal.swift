package import ChirpWeb
internal import Crypto
internal import FoundationEssentials

/// Closes what a frame knows of another network before it is written down, sign-in and words alike: a copy of the tables without the
/// hub's key opens nothing, and what was removed leaves nothing readable in free pages or in the log of the database.
package struct FrameSeal: Sendable {
    private let signer: Signer

    package init(_ signer: Signer) { self.signer = signer }

    /// - Parameter frame: the id of the frame that it is of; what is one frame's opens for no other.
    func close(_ value: some Encodable, of frame: String) -> [UInt8]? {
        guard let bytes = try? JSONEncoder().encode(value),
            let box = try? AES.GCM.seal(bytes, using: key(frame), authenticating: Data(frame.utf8))
        else { return nil }
        return box.combined.map(Array.init)
    }

    /// What was closed; nil when it is something else, or another hub's.
    func open<T: Decodable>(_ type: T.Type, _ sealed: [UInt8]?, of frame: String) -> T? {
        guard let sealed, let box = try? AES.GCM.SealedBox(combined: Data(sealed)),
            let bytes = try? AES.GCM.open(box, using: key(frame), authenticating: Data(frame.utf8))
        else { return nil }
        return try? JSONDecoder().decode(type, from: bytes)
    }

    /// What a code that was typed is known by in the tables. It is short, so its plain digest would soon be guessed.
    func digest(ofCode code: String) -> [UInt8] { Array(signer.signature(of: code, for: "frame code").utf8) }

    private func key(_ frame: String) -> SymmetricKey {
        SymmetricKey(data: SHA256.hash(data: Data(signer.signature(of: frame, for: "frame seal").utf8)))
    }
}
