internal import ChirpHTTP
internal import Glibc

/// What a broken download has left in a file, and by what the server tells whether it still has the same content.
///
/// Beside the file lies a small one with the validator of the answer that it began with (`ETag` or `Last-Modified`) and the size
/// of the whole. Going on needs one of them (RFC 9110 section 13.1.5): otherwise the beginning of one clip would get the end of
/// another. Without them the file is begun anew.
struct PartialDownload: Sendable {
    /// The bytes that are here and can be gone on from; 0 to begin anew.
    let offset: Int64
    /// For `If-Range`; nil when the server gave none that can be used there.
    let validator: String?
    /// The size of the whole; nil when the server did not say.
    let total: Int64?

    private static let longestValidator = 300

    /// - Parameter path: the file; removed when it cannot be gone on with.
    init(at path: String) {
        let size = Self.size(of: path)
        let known = Self.facts(beside: path)
        let isUsable = known.validator != nil || known.total != nil
        if size > 0, isUsable, known.total.map({ size <= $0 }) ?? true {
            (offset, validator, total) = (size, known.validator, known.total)
        } else {
            if size > 0 { Self.remove(path) }
            (offset, validator, total) = (0, nil, nil)
        }
    }

    /// Whether the answer to a request for the rest goes on with what is here, as far as it tells.
    func continues(with response: HTTPResponse) -> Bool {
        guard response.status == 206, let total else { return true }
        return response.headers["Content-Range"].flatMap(ContentRange.init)?.total ?? total == total
    }

    /// The size of the whole that an answer promises; nil when it does not say.
    func promised(by response: HTTPResponse) -> Int64? {
        guard response.status == 206 else { return nil }  // libcurl compares a whole answer with its Content-Length
        return response.headers["Content-Range"].flatMap(ContentRange.init)?.total ?? total
    }

    /// An answer with the whole content begins: the file is begun anew, and what it can be gone on by is written down. In this
    /// order, so that bytes of an earlier answer never lie beside the validator of this one.
    static func begin(_ path: String, with headers: HTTPHeaders) {
        remove(path)
        let validator = [headers["ETag"], headers["Last-Modified"]].compactMap { $0 }.first(where: isUsable) ?? ""
        let total = headers["Content-Length"].flatMap { Int64($0) }.flatMap { $0 > 0 ? String($0) : nil } ?? ""
        let file = open(path + suffix, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { return }
        defer { close(file) }
        let text = Array("\(validator)\n\(total)\n".utf8)
        _ = text.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
    }

    /// Removes file and facts.
    static func remove(_ path: String) {
        unlink(path)
        forget(path)
    }

    /// The file is whole.
    static func forget(_ path: String) { unlink(path + suffix) }

    /// Weak validators must not be used to go on (RFC 9110 section 13.1.5).
    private static func isUsable(_ validator: String) -> Bool {
        (1...longestValidator).contains(validator.utf8.count) && !validator.hasPrefix("W/")
            && validator.utf8.allSatisfy { (0x20...0x7E).contains($0) }
    }

    private static func facts(beside path: String) -> (validator: String?, total: Int64?) {
        let lines = String(decoding: head(of: path + suffix, bytes: 512), as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false)
        // The last line is complete only when something stands behind its end.
        guard lines.count == 3 else { return (nil, nil) }
        let validator = String(lines[0])
        return (isUsable(validator) ? validator : nil, Int64(lines[1]).flatMap { $0 > 0 ? $0 : nil })
    }

    private static let suffix = ".from"

    private static func size(of path: String) -> Int64 {
        var info = stat()
        return stat(path, &info) == 0 ? Int64(info.st_size) : 0
    }

    /// The beginning of a file; empty when it cannot be read.
    static func head(of path: String, bytes: Int) -> [UInt8] {
        guard let file = fopen(path, "rb") else { return [] }
        defer { fclose(file) }
        return [UInt8](unsafeUninitializedCapacity: bytes) { buffer, count in
            count = fread(buffer.baseAddress, 1, bytes, file)
        }
    }
}
