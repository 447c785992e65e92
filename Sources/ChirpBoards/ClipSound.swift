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

    /// - Parameter isPrivate: it is for who asks alone; otherwise for everybody who has its address, and for other sites' pages.
    package init(_ clip: HubClip, reader: HubReader, isPrivate: Bool) {
        self.reader = reader
        self.clip = clip
        self.isPrivate = isPrivate
    }

    package func send(to request: Request) async throws -> Response {
        var answer = FileAnswer(sha256: clip.sha256, modified: clip.created, cacheControl: cacheControl)
        if isPrivate {
            answer.headers[.crossOriginResourcePolicy] = "same-origin"
        } else {
            answer.headers[.crossOriginResourcePolicy] = "cross-origin"
            answer.headers[.accessControlAllowOrigin] = "*"
        }
        let type = clip.contentType == "audio/mpeg" ? "audio/mpeg" : "application/octet-stream"
        return try await answer.send(to: request, type: type, further: [.contentDisposition: disposition]) {
            // The file is the truth about its size; the row only says what it should be.
            switch await reader.open(clip) {
            case .here(let file): return file
            case .missing: throw LibraryError.inputOutput(path: clip.id.text, reason: "the file of a clip is missing")
            case .away:
                throw Problem(
                    .serviceUnavailable, "away", "The sound of this clip is kept elsewhere and cannot be had now",
                    retryAfter: 10)
            }
        }
    }

    /// Bytes behind a link never change, but a clip may be removed or expire, so nobody keeps it for long unasked.
    private var cacheControl: String {
        guard !isPrivate else { return "private, no-cache" }
        let left = clip.expires.map { $0.timeIntervalSince(reader.now) } ?? .infinity
        return "private, max-age=\(Int(clamping: min(max(left, 0), 300)))"
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
