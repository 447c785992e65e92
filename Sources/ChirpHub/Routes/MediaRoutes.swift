internal import ChirpCommunity
internal import ChirpCore
internal import ChirpFiles
internal import ChirpWeb
internal import FoundationEssentials
internal import Hummingbird

/// The bytes of clips: whole or in part, conditional, and never more of them in memory than one block.
struct MediaRoutes {
    let reader: HubReader

    /// Small enough for many listeners at once, large enough that a block's overhead vanishes.
    private static let block = 1 << 16

    func add(to router: Router<WebContext>) {
        router.get("/media/:file") { request, context in
            guard let name = context.parameters.get("file") else { throw HTTPError(.notFound) }
            for suffix in [".vtt", ".txt"] where name.hasSuffix(suffix) {
                return try await words(of: name.dropLast(4), isTimed: suffix == ".vtt", request)
            }
            guard name.hasSuffix(".mp3") else { throw HTTPError(.notFound) }
            return try await send(try await reader.visible(name.dropLast(4)), to: request)
        }
    }

    /// What is said in a clip, as a file: for players, and for programs that read feeds.
    private func words(
        of id: some StringProtocol, isTimed: Bool, _ request: Request
    ) async throws -> Response {
        let clip = try await reader.visible(id)
        guard let transcript = try await reader.transcript(of: clip.id), transcript.isTimed == isTimed else {
            throw HTTPError(.notFound)
        }
        var response = Response.document(
            Data(transcript.text.utf8), type: "\(transcript.type); charset=utf-8", to: request)
        response.headers[.crossOriginResourcePolicy] = "cross-origin"
        response.headers[.accessControlAllowOrigin] = "*"
        return response
    }

    func send(_ clip: HubClip, to request: Request) async throws -> Response {
        let validators = Validators(sha256: clip.sha256, modified: clip.created)
        var headers: HTTPFields = [
            .acceptRanges: "bytes", .eTag: validators.entityTag, .cacheControl: cacheControl(clip),
            .crossOriginResourcePolicy: "cross-origin", .accessControlAllowOrigin: "*",
        ]
        headers[.lastModified] = validators.lastModified
        if validators.isKnown(to: request) { return Response(status: .notModified, headers: headers) }

        // The file is the truth about its size; the row only says what it should be.
        guard let file = await reader.open(clip) else {
            throw LibraryError.inputOutput(path: clip.id.text, reason: "the file of a clip is missing")
        }
        headers[.contentType] = clip.contentType == "audio/mpeg" ? "audio/mpeg" : "application/octet-stream"
        headers[.contentDisposition] = disposition(clip)

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
    private func cacheControl(_ clip: HubClip) -> String {
        let left = clip.expires.map { $0.timeIntervalSince(reader.now) } ?? .infinity
        return "private, max-age=\(Int(min(max(left, 0), 300)))"
    }

    /// A name for the downloaded file, in both forms of RFC 6266.
    private func disposition(_ clip: HubClip) -> String {
        let plain = clip.fileName.unicodeScalars.map { scalar -> Character in
            scalar.isASCII && scalar.value >= 0x20 && scalar.value < 0x7F && !"\"\\/%;".unicodeScalars.contains(scalar)
                ? Character(scalar) : "_"
        }
        let full = clip.fileName.utf8.map { byte -> String in
            let isPlain =
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "-._~".utf8.contains(byte)
            return isPlain ? String(UnicodeScalar(byte)) : "%" + CollectionOfOne(byte).hexadecimal.uppercased()
        }
        return "inline; filename=\"\(String(plain))\"; filename*=UTF-8''\(full.joined())"
    }
}
