package import ChirpCommunity
internal import ChirpCore
internal import ChirpWeb
internal import FoundationEssentials
package import Hummingbird

/// The bytes of a clip as an answer: whole or in part, conditional, and never more of them in memory than one block.
package struct ClipSound {
    let reader: HubReader
    let clip: HubClip
    /// Whose sound it is is known from who asks, so no other page may use it.
    let isPrivate: Bool

    /// Small enough for many listeners at once, large enough that a block's overhead vanishes.
    private static let block = 1 << 16

    /// - Parameter isPrivate: it is for who asks alone; otherwise for everybody who has its address, and for other sites' pages.
    package init(_ clip: HubClip, reader: HubReader, isPrivate: Bool) {
        self.reader = reader
        self.clip = clip
        self.isPrivate = isPrivate
    }

    package func send(to request: Request) async throws -> Response {
        let validators = Validators(sha256: clip.sha256, modified: clip.created)
        var headers: HTTPFields = [
            .acceptRanges: "bytes", .eTag: validators.entityTag, .cacheControl: cacheControl,
        ]
        if isPrivate {
            headers[.crossOriginResourcePolicy] = "same-origin"
        } else {
            headers[.crossOriginResourcePolicy] = "cross-origin"
            headers[.accessControlAllowOrigin] = "*"
        }
        headers[.lastModified] = validators.lastModified
        if validators.isKnown(to: request) { return Response(status: .notModified, headers: headers) }

        // The file is the truth about its size; the row only says what it should be.
        guard let file = await reader.open(clip) else {
            throw LibraryError.inputOutput(path: clip.id.text, reason: "the file of a clip is missing")
        }
        headers[.contentType] = clip.contentType == "audio/mpeg" ? "audio/mpeg" : "application/octet-stream"
        headers[.contentDisposition] = disposition

        let isGet = request.method == .get
        let range = isGet && validators.allowRange(to: request) ? request.headers[.range] : nil
        switch ByteRange(range, size: file.size) {
        case .whole:
            return Response(status: .ok, headers: headers, body: body(file, 0..<file.size))
        case .part(let part):
            headers[.contentRange] = "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(file.size)"
            return Response(status: .partialContent, headers: headers, body: body(file, part))
        case .unsatisfiable:
            throw HTTPError(.rangeNotSatisfiable, headers: [.contentRange: "bytes */\(file.size)"])
        }
    }

    private func body(_ file: MediaFile, _ range: Range<Int64>) -> ResponseBody {
        ResponseBody(contentLength: Int(range.count)) { writer in
            var offset = range.lowerBound
            while offset < range.upperBound {
                let count = Int(min(Int64(Self.block), range.upperBound - offset))
                let (at, block) = (offset, await offPool { [offset] in file.read(at: offset, count: count) })
                guard let block else {
                    throw LibraryError.inputOutput(path: "a clip's file", reason: "it ends at \(at), before its length")
                }
                try await writer.write(ByteBuffer(bytes: block))
                offset += Int64(block.count)
            }
            try await writer.finish(nil)
        }
    }

    /// Bytes behind a link never change, but a clip may be removed or expire, so nobody keeps it for long unasked.
    private var cacheControl: String {
        guard !isPrivate else { return "private, no-cache" }
        let left = clip.expires.map { $0.timeIntervalSince(reader.now) } ?? .infinity
        return "private, max-age=\(Int(min(max(left, 0), 300)))"
    }

    /// A name for the downloaded file, in both forms of RFC 6266.
    private var disposition: String {
        let plain = clip.fileName.unicodeScalars.map { scalar -> Character in
            scalar.isASCII && scalar.value >= 0x20 && scalar.value < 0x7F && !"\"\\/%;".unicodeScalars.contains(scalar)
                ? Character(scalar) : "_"
        }
        return "inline; filename=\"\(String(plain))\"; filename*=UTF-8''\(PercentEncoding.encode(clip.fileName))"
    }
}
