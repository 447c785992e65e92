internal import Crypto

/// An upload session of the loopback Drive.
struct DriveSession {
    /// Bytes are kept in whole units of this size until the last.
    static let unit: Int64 = 262_144

    var file: DriveFile
    var fields: String?
    /// What the client said it would send.
    var announced: Int64?
    var received: Int64 = 0
    var hash = Insecure.MD5()
    /// A session that is over answers with this status.
    var dead: Int?
    var isComplete = false

    /// `bytes 0-9/10`, `bytes */10`, `bytes 0-9/*`, or nil for a whole file in one request.
    struct Range: Equatable {
        var first: Int64?
        var last: Int64?
        var total: Int64?

        init?(_ text: String) {
            let parts = text.split(separator: "/", omittingEmptySubsequences: false)
            guard text.hasPrefix("bytes "), parts.count == 2 else { return nil }
            if parts[1] != "*" {
                guard let total = Int64(parts[1]) else { return nil }
                self.total = total
            }
            let range = parts[0].dropFirst(6)
            guard range != "*" else { return }
            let ends = range.split(separator: "-", omittingEmptySubsequences: false).map { Int64($0) }
            guard ends.count == 2, let first = ends[0], let last = ends[1], last >= first - 1 else { return nil }
            (self.first, self.last) = (first, last)
        }
    }
}
