internal import ChirpCommunity
internal import ChirpWeb
internal import FoundationEssentials

/// A draft, as the hub's own API tells it.
struct DraftDocument {
    let draft: HubDraft
    /// How many bytes of the recording are here.
    let bytes: Int64
    let prefix: String

    func write(_ json: inout JSONText) {
        let state = draft.state
        json.object { json in
            json.field("id", draft.id.text)
            json.field("created", draft.created)
            json.field("state", state.rawValue)
            json.field("why", state == .refused ? draft.why : nil)
            json.field("bytes", Int(bytes))
            json.field("seconds", seconds: draft.recording?.seconds)
            json.field("title", draft.wish.title)
            json.field("text", draft.text)
            json.field("from", seconds: draft.wish.from)
            json.field("to", seconds: draft.wish.to)
            json.field("peaks", Data(draft.recording?.peaks ?? []).base64EncodedString())
            json.field("receipt") { $0.value(json: draft.made?.receipt) }
            json.field("url", state == .ready ? "\(prefix)/api/hub/v1/drafts/\(draft.id)/clip.mp3" : nil)
        }
    }
}

extension OnwardPost {
    /// For the one whose post it is.
    func write(_ json: inout JSONText) {
        json.object { json in
            json.field("network", network.rawValue)
            json.field("state", state == .sending ? State.waiting.rawValue : state.rawValue)
            json.field("link", link)
            json.field("why", state == .posted ? nil : why)
        }
    }
}
