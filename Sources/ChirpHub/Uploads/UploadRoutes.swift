internal import ChirpAccounts
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpWeb
internal import Hummingbird

/// What has become of an upload, for its sender.
struct UploadRoutes {
    let desk: UploadDesk

    var routes: [WebRoute] {
        [
            .api(
                .get, "/api/hub/v1/uploads", .active, scope: "write:media", summary: "How much one may send"
            ) { _, context in
                let account = AccountID(rawValue: try context.someone.id)
                let room: HubRoom
                do throws(UploadRefusal) {
                    room = try await desk.library.room(of: account, quota: desk.quota)
                } catch {
                    throw UploadDesk.problem(error)
                }
                return .json { json in
                    json.field("quota") { json in
                        json.object { json in
                            json.field("limit", room.limit.map { Int($0.bytes) })
                            json.field("used", Int(room.used.bytes))
                            json.field("free", Int(room.free.bytes))
                        }
                    }
                }
            },
            .api(
                .get, "/api/hub/v1/uploads/:upload", .active, scope: "write:media",
                summary: "What has become of an upload"
            ) { _, context in
                let id = context.parameters.get("upload") ?? ""
                let item = try await desk.item(id, of: try context.someone)
                var answer = try Response.json(try await document(item))
                answer.headers[.cacheControl] = "no-store"
                return answer
            },
        ]
    }

    private struct Document: Encodable {
        let id: String
        let state: String
        /// How many were received.
        let bytes: Int64
        /// What they hash to; not there before the last one.
        let sha256: String?
        let why: String?
        let clip: String?
        /// Its id for `media_ids`.
        let media: String?
    }

    private func document(_ item: MediaItem) async throws -> Document {
        guard let bytes = await desk.library.received(item) else { throw UploadDesk.problem(.nothing) }
        return Document(
            id: item.id.text, state: item.state.rawValue, bytes: bytes, sha256: item.sha256, why: item.why,
            clip: item.clip?.text, media: item.state == .ready ? item.id.text : nil)
    }
}
