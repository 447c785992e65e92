internal import ChirpCore

// What a hub says, as far as it is used. A field that may be absent has a meaning without it.

/// `GET /api/hub/v1/uploads`: the room of the account.
struct RemoteHubRoom: Decodable {
    struct Room: Decodable {
        /// Bytes; absent where there is no limit or none is told.
        let limit: Int64?
        let used: Int64?
        let free: Int64?
    }
    let quota: Room?

    /// What is negative is a mistake of the service, and counts as nothing.
    var asQuota: Quota {
        func size(_ bytes: Int64?) -> ByteCount? { bytes.map { ByteCount(max(0, $0)) } }
        return Quota(limit: size(quota?.limit), used: size(quota?.used), free: size(quota?.free))
    }
}

/// `GET /api/hub/v1/uploads/ID`: what has become of the bytes.
struct RemoteHubState: Decodable {
    /// `receiving`, `checking`, `ready` or `refused`.
    let state: String
    /// Why it was refused, in the hub's words.
    let why: String?
}

/// `GET /api/hub/v1/clips/ID`: a clip of one's own.
struct RemoteHubClip: Decodable {
    let id: String
    let bytes: Int64
    /// Of the file that listeners get, in lower-case hexadecimal.
    let sha256: String

    /// Whether the hub has kept exactly this, under this id.
    func holds(_ payload: Payload, as id: StoredObject.ID) -> Bool {
        self.id == id.text && bytes == payload.bytes && sha256 == payload.sha256
    }
}

/// `POST /api/hub/v1/clips/ID/share`: where everybody with the link finds it.
struct RemoteHubLinks: Decodable {
    let page: String
    let audio: String?
}

/// RFC 9457, or the shape that Mastodon's clients know.
struct RemoteHubProblem: Decodable {
    let title: String?
    let detail: String?
    let error: String?
}
