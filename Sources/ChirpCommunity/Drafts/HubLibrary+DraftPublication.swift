package import ChirpAccounts
package import ChirpCore
internal import ChirpDatabase
internal import FoundationEssentials
internal import GRDB

/// How a draft is to be published.
package struct DraftPublication: Sendable {
    package var visibility = HubPost.Visibility.published
    package var language: String?
    /// What is said in it; empty when nobody has written it down.
    package var transcript = ""
    /// The place in the feed of what it answers.
    package var replyTo: Int64?
    /// On which other networks it goes on, each with the words there.
    package var onward: [Onward] = []
    /// The post's text and link, for a clip.
    package let post: @Sendable (HubID) -> (text: String, link: String)

    package struct Onward: Hashable, Sendable {
        package let network: OnwardPost.Network
        /// Without link and tag.
        package let words: String

        package init(_ network: OnwardPost.Network, words: String) {
            self.network = network
            self.words = words
        }
    }

    package init(post: @escaping @Sendable (HubID) -> (text: String, link: String)) { self.post = post }
}

/// What came of asking for a publication.
package enum DraftOutcome: Hashable, Sendable {
    case published(HubDraft.Published)
    /// Its clip is still being made.
    case making(HubDraft)
}

/// Why a draft is not published.
package enum DraftRefusal: Error, Hashable {
    /// There is none of this account.
    case nothing
    /// Its last byte has not come.
    case receiving
    /// No clip can be made of it.
    case refused(why: String)
    case posting(PostingRefusal)
    case room(UploadRefusal)
    case library(LibraryError)
}

extension HubLibrary {
    /// Publishes a draft, once: clip, transcript, post and the end of the draft are one transaction. What was published already is
    /// that post, whatever is asked now.
    ///
    /// - Parameter policy: what new accounts may post.
    package func publish(
        _ id: HubID, of owner: AccountID, _ publication: DraftPublication, under policy: PostingPolicy,
        quota: ByteCount
    ) async throws(DraftRefusal) -> DraftOutcome {
        let now = now()
        do {
            let (outcome, isNew) = try await database.write { database -> (DraftOutcome, Bool) in
                guard let draft = try Self.draft(id, in: database), draft.owner == owner else {
                    throw DraftRefusal.nothing
                }
                if let published = draft.published { return (.published(published), false) }
                guard draft.isReceived else { throw DraftRefusal.receiving }
                if let why = draft.why { throw DraftRefusal.refused(why: why) }
                guard let made = draft.made else { return (.making(draft), false) }
                let published = try self.publish(
                    draft, made, publication, under: policy, quota: quota, at: now, in: database)
                return (.published(published), true)
            }
            // The recording has done what it was for. A process that dies here leaves it to the sweep.
            if isNew { await offPool { [uploads] in uploads.remove(id) } }
            return outcome
        } catch let refusal as DraftRefusal {
            throw refusal
        } catch let refusal as PostingRefusal {
            throw .posting(refusal)
        } catch let refusal as UploadRefusal {
            throw .room(refusal)
        } catch {
            throw .library(libraryError(error))
        }
    }

    private func publish(
        _ draft: HubDraft, _ made: HubDraft.Made, _ publication: DraftPublication, under policy: PostingPolicy,
        quota: ByteCount, at now: Date, in database: Database
    ) throws -> HubDraft.Published {
        let item = try Self.item(draft.id, database)
        // What the recording has taken is free for its clip.
        try database.cachedStatement(sql: "UPDATE media SET reserved = 0 WHERE id = ?").execute(arguments: [
            draft.id.text
        ])
        try checkRoom(for: made.bytes, of: draft.owner, quota: quota, disk: nil, database)
        var clip = HubClip(
            id: draft.take, title: draft.wish.title,
            fileName: HubClip.fileName(of: item?.wishes.fileName ?? "", title: draft.wish.title, made: now),
            contentType: "audio/mpeg", bytes: made.bytes, sha256: made.sha256, sound: made.sound, created: now,
            expires: nil, shared: false)
        clip.owner = draft.owner
        try Self.insert(clip, database)
        let (text, link) = publication.post(draft.take)
        var post = PostDraft(author: draft.owner, text: text, link: link, key: "draft:\(draft.id.text)")
        post.clip = draft.take
        post.visibility = publication.visibility
        post.language = publication.language
        post.replyTo = publication.replyTo
        guard let posted = try admit(post, under: policy, at: Self.milliseconds(now), in: database).first else {
            throw LibraryError.inputOutput(path: file.path, reason: "the post that was just written is not there")
        }
        if !publication.transcript.isEmpty {
            let transcript = TranscriptDraft(said: publication.transcript, language: publication.language ?? "")
            try Self.write(transcript, of: draft.take, from: .own, at: Self.milliseconds(now), in: database)
        }
        for onward in publication.onward {
            try OnwardPost.add(onward, of: posted.id, page: link, at: Self.milliseconds(now), in: database)
        }
        try database.cachedStatement(
            sql: "UPDATE media SET state = 'ready', clip = ?, receipt = ?, expires = NULL WHERE id = ?"
        ).execute(arguments: [draft.take.text, made.receipt, draft.id.text])
        try database.cachedStatement(sql: "UPDATE drafts SET post = ?, shared = ?, touched = ? WHERE id = ?").execute(
            arguments: [posted.id, text, Self.milliseconds(now), draft.id.text])
        return HubDraft.Published(clip: draft.take, post: posted.id, text: text)
    }
}
