package import ChirpCommunity
package import ChirpMusic
internal import GRDB

/// What was sent with an attempt, by the ids that it has in the library.
package struct AttemptRecording: Hashable, Sendable {
    package var picture: HubID?
    /// Sound alone, as it is posted: trimmed, levelled, at most as long as a post.
    package var clip: HubID?
    /// A film, or sound alone as it was recorded.
    package var film: HubID?

    package init(picture: HubID? = nil, clip: HubID? = nil, film: HubID? = nil) {
        (self.picture, self.clip, self.film) = (picture, clip, film)
    }

    /// Which kinds of evidence that is.
    ///
    /// - Parameter needs: what is asked for. A film may have sound, and pictures: where one is needed, it is said to bring it, and refused later
    ///   when it brings none.
    package func kinds(for needs: Set<RuleTerms.Evidence>) -> Set<RuleTerms.Evidence> {
        var kinds: Set<RuleTerms.Evidence> = []
        if picture != nil { kinds.insert(.picture) }
        if clip != nil { kinds.insert(.sound) }
        if film != nil {
            let brought = needs.intersection([.video, .sound])
            kinds.formUnion(brought.isEmpty ? [.video] : brought)
        }
        return kinds
    }
}

/// What a viewer who sees an attempt has of its recording.
package struct AttemptMedia: Hashable, Sendable {
    package let recording: AttemptRecording
    /// How far the film is; nil: there is none.
    package let film: HubFilm?
    /// Of the clip.
    package let seconds: Double?
    /// Whether the viewer may have the film without the timer that others see: she is its author, or judges it.
    package let isJudge: Bool
}

/// What a machine has found in the media of an attempt; decides nothing.
package struct AttemptFindings: Codable, Hashable, Sendable {
    package var sound: SoundFindings?

    package init(sound: SoundFindings? = nil) { self.sound = sound }
}

extension AttemptRecording {
    /// Of an attempt, by ``Attempt/sequence``.
    init(of attempt: Int64, in database: Database) throws {
        self.init()
        let rows = try Row.fetchAll(
            database.cachedStatement(sql: "SELECT picture, clip, film FROM attemptMedia WHERE attempt = ?"),
            arguments: [attempt])
        for row in rows {
            picture = (row["picture"] as String?).flatMap { HubID($0) } ?? picture
            clip = (row["clip"] as String?).flatMap { HubID($0) } ?? clip
            film = (row["film"] as String?).flatMap { HubID($0) } ?? film
        }
    }
}
