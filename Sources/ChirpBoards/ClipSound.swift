package import ChirpCommunity
internal import ChirpCore
internal import ChirpWeb
internal import FoundationEssentials
package import Hummingbird

/// The bytes of a clip as an answer: whole or in part, conditional, and never more of them in memory than one block.
package struct ClipSound {
    let reader: HubReader
    let clip: HubClip
    let audience: Audience

    /// Who may hear a clip at an address, and so what the answer lets others do with it.
    package enum Audience: Sendable {
        /// Everybody, who sees its page too: other sites' players and scripts may have it.
        case everybody
        /// Whoever has the address, which is all that a player sends. Its page is for some, so other sites may not have the sound, and the
        /// file has no name, which would tell the title.
        case address
        /// Who asks alone, known by session or token.
        case asker
    }

    /// - Parameter audience: who may hear it at the address that is asked for.
    package init(_ clip: HubClip, reader: HubReader, for audience: Audience) {
        self.reader = reader
        self.clip = clip
        self.audience = audience
    }

    package func send(to request: Request) async throws -> Response {
        var answer = FileAnswer(sha256: clip.sha256, modified: clip.created, cacheControl: cacheControl)
        if audience == .everybody {
            answer.headers[.crossOriginResourcePolicy] = "cross-origin"
            answer.headers[.accessControlAllowOrigin] = "*"
        } else {
            answer.headers[.crossOriginResourcePolicy] = "same-origin"
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

    /// Bytes behind a link never change, but a clip may be removed or expire, so nobody keeps it for long unasked; what is for some is asked
    /// for each time.
    private var cacheControl: String {
        guard audience == .everybody else { return "private, no-cache" }
        let left = clip.expires.map { $0.timeIntervalSince(reader.now) } ?? .infinity
        return "private, max-age=\(Int(clamping: min(max(left, 0), 300)))"
    }

    /// A name for the downloaded file, in both forms of RFC 6266.
    private var disposition: String {
        guard audience != .address else { return "inline" }
        let plain = clip.fileName.unicodeScalars.map { scalar -> Character in
            scalar.isASCII && scalar.value >= 0x20 && scalar.value < 0x7F && !"\"\\/%;".unicodeScalars.contains(scalar)
                ? Character(scalar) : "_"
        }
        return "inline; filename=\"\(String(plain))\"; filename*=UTF-8''\(PercentEncoding.encode(clip.fileName))"
    }
}
