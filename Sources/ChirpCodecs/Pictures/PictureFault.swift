internal import ChirpAudio
internal import CPhoto

/// Why a file becomes no picture: a part of a sentence that begins with the file's name.
enum PictureFault: Error, Hashable {
    /// It says something that cannot be.
    case damaged(String)
    /// It may be right, but is nothing that is taken here.
    case unsupported(String)

    /// For what a C function has said.
    static func check(_ fault: UnsafePointer<CChar>?) throws(PictureFault) {
        if let fault { throw .damaged(String(cString: fault)) }
    }

    func error(name: String) -> AudioError {
        switch self {
        case .damaged(let words):
            .undecodable(name: name, reason: DecoderRefusal.picture, detail: words)
        case .unsupported(let words): .unsupported(name: name, reason: words)
        }
    }
}
