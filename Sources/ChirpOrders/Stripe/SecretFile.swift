package import ChirpCore
internal import ChirpFiles
internal import Glibc

/// A secret in a file that its owner alone may read.
package enum SecretFile {
    /// In bytes: keys have about a hundred.
    private static let limit = 4096

    /// The first line. Blocks.
    ///
    /// - Throws: ``PaymentError/badKey(path:reason:)``, also when group or others have any right on the file.
    package static func read(_ path: String) throws(PaymentError) -> Secret {
        func fault(_ reason: String) -> PaymentError { .badKey(path: path, reason: reason) }
        let file: OpenFile
        do { file = try OpenFile(path, flags: O_RDONLY | O_NOFOLLOW | O_NONBLOCK) } catch { throw fault(error.reason) }
        var facts = stat()
        guard fstat(file.raw, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { throw fault("it is no file") }
        guard facts.st_mode & 0o077 == 0 else {
            throw fault("others may read it (mode \(String(facts.st_mode & 0o777, radix: 8)))")
        }
        var bytes = [UInt8](repeating: 0, count: limit)
        let count = Glibc.read(file.raw, &bytes, limit)
        guard count >= 0 else { throw fault(SystemError(code: errno).description) }
        let line = bytes.prefix(count).prefix { $0 > 0x20 }
        guard !line.isEmpty, line.allSatisfy({ $0 < 0x7F }), count < limit else { throw fault("it holds no key") }
        return Secret(String(decoding: line, as: UTF8.self))
    }
}
