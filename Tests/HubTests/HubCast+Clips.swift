import ChirpAccounts
import ChirpCommunity
import HubHousehold
import Testing

extension HubCast {
    /// A clip of a member's own, and her post about it.
    func clip(
        of account: HubAccount, title: String = "Rain", text: String = "Rain over the harbour #Chirp",
        visibility: HubPost.Visibility = .published
    ) async throws -> (id: HubID, post: HubPost) {
        let id = HubID()
        var clip = HubClip(
            id: id, title: title, fileName: "rain.mp3", contentType: "audio/mpeg", bytes: 1000, sha256: "",
            sound: HubSound(seconds: 12, peaks: [10, 200]), created: house.now, expires: nil, shared: true)
        clip.owner = account.id
        #expect(try await house.library.insert(clip) == nil)
        var draft = PostDraft(author: account.id, text: text, key: id.text)
        draft.clip = id
        draft.visibility = visibility
        return (id, try await house.library.post(draft))
    }
}
