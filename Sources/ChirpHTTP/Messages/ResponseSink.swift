internal import ChirpCore
internal import ChirpFiles
import Glibc

/// Collects an answer: header fields, then content, in memory or in a file as the request says.
struct ResponseSink: ~Copyable {
    /// Header fields of one answer; servers and libcurl allow about as much.
    private static let headerLimit = 256 << 10
    /// Content of an answer that went neither into the file asked for nor is a success: enough for any error text.
    private static let errorLimit = 256 << 10

    private let host: String
    private let destination: HTTPRequest.Sink
    private(set) var status = 0
    private(set) var headers = HTTPHeaders()
    private(set) var body: [UInt8] = []
    /// Bytes in the file, those of earlier transfers included.
    private var fileBytes: Int64 = 0
    private var headerBytes = 0
    private var file: OpenFile?
    private(set) var received: Int64 = 0

    init(_ destination: HTTPRequest.Sink, host: String) {
        self.destination = destination
        self.host = host
    }

    /// A line of the header with its line end. Every status line begins anew: informational answers come before the final one.
    mutating func header(_ line: String) throws(HTTPError) {
        headerBytes += line.utf8.count
        guard headerBytes <= Self.headerLimit else { throw .malformed(host: host, reason: "its header has no end") }
        let line = line.trimmingLineEnd()
        if line.hasPrefix("HTTP/") {
            let words = line.split(separator: " ", maxSplits: 2)
            guard words.count >= 2, let status = Int(words[1]), (100...999).contains(status) else {
                throw .malformed(host: host, reason: "its status line cannot be read")
            }
            self.status = status
            headers = HTTPHeaders()
        } else if let colon = line.firstIndex(of: ":") {
            let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
            headers.append(String(value), for: String(line[..<colon]))
        }
    }

    /// A piece of content.
    mutating func content(_ bytes: UnsafeRawBufferPointer) throws(HTTPError) {
        received += Int64(bytes.count)
        guard case .file(let path, let offset, let limit) = destination, status == 200 || status == 206 else {
            try keep(bytes)
            return
        }
        if file == nil { try begin(path, offset: offset) }
        guard fileBytes + Int64(bytes.count) <= limit else { throw .tooLarge(host: host, limit: ByteCount(limit)) }
        var written = 0
        while written < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
            let count = pwrite(file?.raw ?? -1, rest.baseAddress, rest.count, off_t(fileBytes))
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw HTTPError(FileError(path: path)) }
            written += count
            fileBytes += Int64(count)
        }
    }

    /// The finished answer. Called when the transfer has ended well.
    mutating func response() throws(HTTPError) -> HTTPResponse {
        guard case .file(let path, let offset, _) = destination, status == 200 || status == 206 else {
            return HTTPResponse(status: status, headers: headers, body: body)
        }
        // An empty content never came through here, but its file must exist too.
        if file == nil { try begin(path, offset: offset) }
        file = nil
        return HTTPResponse(status: status, headers: headers, fileBytes: fileBytes)
    }

    private mutating func keep(_ bytes: UnsafeRawBufferPointer) throws(HTTPError) {
        switch destination {
        case .memory(let limit):
            guard body.count + bytes.count <= limit else { throw .tooLarge(host: host, limit: ByteCount(limit)) }
            body.append(contentsOf: bytes)
        case .file:
            body.append(contentsOf: bytes.prefix(max(0, Self.errorLimit - body.count)))
        }
    }

    private mutating func begin(_ path: String, offset: Int64) throws(HTTPError) {
        var start: Int64 = 0
        if status == 206 {
            guard let range = headers["Content-Range"].flatMap(ContentRange.init), range.first == offset else {
                throw .malformed(host: host, reason: "it sent another part of the file than was asked for")
            }
            start = offset
        }
        let opened: OpenFile
        do throws(FileError) { opened = try OpenFile(path, flags: O_WRONLY | O_CREAT) } catch { throw HTTPError(error) }
        guard ftruncate(opened.raw, off_t(start)) == 0 else { throw HTTPError(FileError(path: path)) }
        file = consume opened
        fileBytes = start
    }
}

extension String {
    fileprivate func trimmingLineEnd() -> Substring {
        // CR LF is one Character.
        var rest = self[...]
        while let last = rest.unicodeScalars.last, last == "\r" || last == "\n" || last == " " {
            rest.unicodeScalars.removeLast()
        }
        return rest
    }
}
