internal import ChirpCore
internal import HTTPTypes
package import Hummingbird

/// The protocol for resumable uploads (tus.io/protocols/resumable-upload, 1.0.0): what is the same for every server that speaks it.
package enum Tus {
    package static let version = "1.0.0"
    /// What is understood beside the core.
    static let extensions = "creation,creation-with-upload,creation-defer-length,checksum,expiration,termination"
    static let checksums = "sha1,sha256"
    /// The type of a chunk.
    static let chunkType = "application/offset+octet-stream"

    /// One upload, as far as the protocol goes.
    package struct Upload: Hashable, Sendable {
        /// The last part of its address.
        package var id: String
        /// How many bytes are here.
        package var offset: Int64
        /// How many there will be; nil while nobody knows.
        package var length: Int64?
        /// As its sender wrote it.
        package var metadata: String
        /// When it goes, unless it is completed before; in the form of HTTP dates.
        package var expires: String?

        package init(id: String, offset: Int64, length: Int64?, metadata: String, expires: String?) {
            self.id = id
            self.offset = offset
            self.length = length
            self.metadata = metadata
            self.expires = expires
        }
    }

    /// Who takes uploads. What goes wrong is thrown as a ``Problem``.
    package protocol Desk: Sendable {
        associatedtype Writing: Tus.Writing
        /// The most bytes that an upload may have.
        var largest: Int64 { get async }
        /// Begins one.
        ///
        /// - Parameter length: nil while nobody knows.
        func begin(_ metadata: TusMetadata, length: Int64?, by person: Person) async throws -> Upload
        /// One of this person's.
        func find(_ id: String, of person: Person) async throws -> Upload
        /// Is told the length of one that began without.
        func announce(_ length: Int64, for upload: Upload, of person: Person) async throws -> Upload
        /// Opens it to be continued.
        ///
        /// - Parameter isToBeChecked: nothing of what is written counts until ``Writing/end(keepsAll:)``.
        func write(_ upload: Upload, of person: Person, isToBeChecked: Bool) async throws -> Writing
        /// Removes it.
        func remove(_ id: String, of person: Person) async throws
    }

    /// An upload that is open.
    package protocol Writing: Sendable {
        /// Adds bytes, in the order of the calls.
        func write(_ pieces: [ByteBuffer]) async throws
        /// Ends writing. When it returns, what was kept is on the disk.
        ///
        /// - Parameter keepsAll: false drops what was written since it was opened.
        func end(keepsAll: Bool) async throws -> Upload
    }
}

extension HTTPField.Name {
    static let tusResumable = known("Tus-Resumable")
    static let tusVersion = known("Tus-Version")
    static let tusExtension = known("Tus-Extension")
    static let tusMaxSize = known("Tus-Max-Size")
    static let tusChecksumAlgorithm = known("Tus-Checksum-Algorithm")
    static let uploadOffset = known("Upload-Offset")
    static let uploadLength = known("Upload-Length")
    static let uploadDeferLength = known("Upload-Defer-Length")
    static let uploadMetadata = known("Upload-Metadata")
    static let uploadChecksum = known("Upload-Checksum")
    static let uploadExpires = known("Upload-Expires")
    static let methodOverride = known("X-HTTP-Method-Override")
}

extension HTTPFields {
    /// A field that may be there once, with a number from 0 on.
    ///
    /// - Throws: 400 for anything else.
    func size(_ name: HTTPField.Name) throws -> Int64? {
        let values = self[values: name]
        guard let text = values.first else { return nil }
        guard values.count == 1, (1...18).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let number = ByteCount(decimal: text)?.bytes
        else { throw Problem(.badRequest, "not-understood", "\(name.rawName) is a number from 0 on") }
        return number
    }
}
