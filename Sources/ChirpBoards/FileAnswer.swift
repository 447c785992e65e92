package import ChirpCommunity
internal import ChirpCore
internal import ChirpWeb
package import FoundationEssentials
package import Hummingbird

/// A file as an answer: whole or in part, conditional, and never more of it in memory than one block.
package struct FileAnswer {
    /// Small enough for many listeners at once, large enough that a block's overhead vanishes.
    private static let block = 1 << 16

    let validators: Validators
    /// Those of every answer, also when nothing has changed.
    var headers: HTTPFields

    /// - Parameters:
    ///   - sha256: of the file, in lower-case hexadecimal.
    ///   - modified: since when it is as it is.
    ///   - cacheControl: who may keep it for how long.
    package init(sha256: String, modified: Date, cacheControl: String) {
        validators = Validators(sha256: sha256, modified: modified)
        headers = [.acceptRanges: "bytes", .eTag: validators.entityTag, .cacheControl: cacheControl]
        headers[.lastModified] = validators.lastModified
    }

    /// - Parameters:
    ///   - further: headers of an answer that holds the file or a part of it.
    ///   - file: opened when it is needed.
    package func send(
        to request: Request, type: String, further: HTTPFields = [:], _ file: () async throws -> MediaFile
    ) async throws -> Response {
        if validators.isKnown(to: request) { return Response(status: .notModified, headers: headers) }
        let file = try await file()
        var headers = headers
        headers[.contentType] = type
        for field in further { headers[field.name] = field.value }

        let isGet = request.method == .get
        let range = isGet && validators.allowRange(to: request) ? request.headers[.range] : nil
        switch ByteRange(range, size: file.size) {
        case .whole:
            return Response(status: .ok, headers: headers, body: Self.body(file, 0..<file.size))
        case .part(let part):
            headers[.contentRange] = "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(file.size)"
            return Response(status: .partialContent, headers: headers, body: Self.body(file, part))
        case .unsatisfiable:
            throw HTTPError(.rangeNotSatisfiable, headers: [.contentRange: "bytes */\(file.size)"])
        }
    }

    private static func body(_ file: MediaFile, _ range: Range<Int64>) -> ResponseBody {
        ResponseBody(contentLength: Int(range.count)) { writer in
            var offset = range.lowerBound
            while offset < range.upperBound {
                let count = Int(min(Int64(block), range.upperBound - offset))
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
}
