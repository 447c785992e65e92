internal import Crypto
package import FoundationEssentials

extension UUID {
    /// Version 5: the same for the same name, wherever it is made (RFC 9562, section 5.5). SHA-1 is what that version prescribes; it
    /// guards nothing.
    package init(name: String, in namespace: UUID) {
        var hash = Insecure.SHA1()
        withUnsafeBytes(of: namespace.uuid) { hash.update(bufferPointer: $0) }
        hash.update(data: Data(name.utf8))
        var bytes = Data(hash.finalize().prefix(16))
        bytes[6] = bytes[6] & 0x0F | 0x50
        bytes[8] = bytes[8] & 0x3F | 0x80
        self.init(
            uuid: (
                bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7], bytes[8], bytes[9],
                bytes[10],
                bytes[11], bytes[12], bytes[13], bytes[14], bytes[15]
            ))
    }
}
