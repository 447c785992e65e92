/// The name of a file below a folder, as the file system has it: bytes in no certain encoding, parts separated by slashes.
public struct BatchPath: Hashable, Sendable, Comparable {
    public let bytes: [UInt8]

    private static let slash = UInt8(ascii: "/")

    /// - Parameter bytes: not empty, not beginning with a slash, without a zero.
    public init(_ bytes: [UInt8]) {
        precondition(!bytes.isEmpty && bytes[0] != Self.slash && !bytes.contains(0))
        self.bytes = bytes
    }

    public init(_ text: String) { self.init(Array(text.utf8)) }

    /// In the order of bytes, which every machine and locale has in common.
    public static func < (a: Self, b: Self) -> Bool { a.bytes.lexicographicallyPrecedes(b.bytes) }

    /// A file in a folder; nil is the top.
    static func name(_ name: [UInt8], in folder: BatchPath?) -> BatchPath {
        BatchPath((folder.map { $0.bytes + [slash] } ?? []) + name)
    }

    /// The folder it lies in; nil for the top.
    var folder: BatchPath? {
        bytes.lastIndex(of: Self.slash).map { BatchPath(Array(bytes[..<$0])) }
    }

    /// The last part.
    var name: ArraySlice<UInt8> {
        bytes.lastIndex(of: Self.slash).map { bytes[($0 + 1)...] } ?? bytes[...]
    }

    /// Folders from the top down to the one it lies in.
    var folders: [BatchPath] {
        bytes.indices.filter { bytes[$0] == Self.slash }.map { BatchPath(Array(bytes[..<$0])) }
    }

    /// The last part without what follows its last point; a name that begins with its only point has no such end.
    var stem: ArraySlice<UInt8> {
        guard let point = name.lastIndex(of: UInt8(ascii: ".")), point > name.startIndex else { return name }
        return name[..<point]
    }

    /// What follows the last point, in lower case; empty for none.
    var fileExtension: String {
        guard stem.endIndex < name.endIndex else { return "" }
        return String(decoding: name[(stem.endIndex + 1)...], as: UTF8.self).lowercased()
    }

    /// Names that promise audio: such a file is a failure when it cannot be read, while a picture or a text beside the
    /// recordings is no reason to complain. What is audio is known by the content alone.
    private static let promisingExtensions: Set<String> = [
        "aac", "ac3", "aif", "aifc", "aiff", "alac", "amr", "ape", "au", "bwf", "caf", "flac", "m4a", "m4b", "mka",
        "mp1",
        "mp2", "mp3", "mpga", "oga", "ogg", "opus", "ra", "rf64", "snd", "spx", "tta", "voc", "w64", "wav", "wave",
        "wma",
        "wv",
    ]

    /// Whether its name promises audio.
    var promisesAudio: Bool { Self.promisingExtensions.contains(fileExtension) }

    /// Whether the bytes are text, so that ``text`` is exact.
    public var isText: Bool { String(validating: bytes, as: UTF8.self) != nil }

    /// The name as text; a byte that is not part of UTF-8 reads `\xE9`.
    public var text: String {
        if let exact = String(validating: bytes, as: UTF8.self) { return exact }
        var text = ""
        var rest = bytes[...]
        while let first = rest.first {
            let length = (1...4).first { $0 <= rest.count && String(validating: rest.prefix($0), as: UTF8.self) != nil }
            if let length {
                text += String(decoding: rest.prefix(length), as: UTF8.self)
            } else {
                text += "\\x" + (first < 16 ? "0" : "") + String(first, radix: 16, uppercase: true)
            }
            rest = rest.dropFirst(length ?? 1)
        }
        return text
    }

    /// The bytes with a zero behind, for system calls.
    package func withCString<R>(_ body: (UnsafePointer<CChar>) -> R) -> R {
        (bytes + [0]).withUnsafeBufferPointer { buffer in
            // A zero-terminated array is never empty, so there is a base address.
            guard let base = buffer.baseAddress else { preconditionFailure("an array of one or more has an address") }
            return base.withMemoryRebound(to: CChar.self, capacity: buffer.count) { body($0) }
        }
    }
}
