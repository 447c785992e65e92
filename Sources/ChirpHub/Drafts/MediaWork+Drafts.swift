package import ChirpAccounts
package import ChirpCommunity
internal import ChirpCore
internal import ChirpFiles
internal import Logging

/// The clip of a draft: made as soon as the recording is here, and again for each other wish.
extension MediaWork {
    /// Something else is wanted of a draft: what is made for an older wish ends.
    package func renew(_ id: HubID, of owner: AccountID) {
        endOlder(id)
        take(id, of: owner)
    }

    /// Until the clip that is wanted is made, or cannot be.
    ///
    /// - Throws: what may go better later.
    func prepare(_ item: MediaItem) async throws {
        var sha256 = item.sha256
        while let draft = try await library.draft(item.id), !draft.isSettled {
            let input = library.uploads.file(item.id)
            if sha256 == nil {
                do {
                    let digest = try await digest(input)
                    try await library.note(sha256: digest.sha256, of: item.id)
                    sha256 = digest.sha256
                } catch ClipIntake.Failure.refused(let why) {
                    try await refuse(draft, because: why)
                    return
                }
            }
            // Under the id of the clip, so that no two wishes are taken for the same work.
            let order = ClipIntake.Order(
                id: draft.take.text, input: input,
                name: item.wishes.fileName.isEmpty ? "recording" : item.wishes.fileName,
                title: draft.wish.title, sha256: sha256 ?? "", goal: library.media.file(draft.take)
            ).part(from: draft.wish.from, to: draft.wish.to)
            if draft.state == .making {
                try await make(draft, order)
            } else {
                try await look(draft, order)
            }
        }
    }

    private func make(_ draft: HubDraft, _ order: ClipIntake.Order) async throws {
        do {
            // The wish may have changed before there was something to end.
            let isWanted: @Sendable () async throws -> Bool = { [library] in
                try await library.draft(draft.id)?.take == draft.take
            }
            let made = try await making(draft.id, isOfWish: true, isWanted: isWanted) { [intake] in
                try await intake.make(order)
            }
            let clip = HubDraft.Made(
                bytes: made.bytes, sha256: made.sha256, sound: HubSound(seconds: made.seconds, peaks: made.peaks),
                receipt: made.receipt)
            if try await library.finish(draft, as: clip) { return drafts.tell(draft.id) }
        } catch let failure as ClipIntake.Failure {
            // A newer wish goes before whatever was wrong with the older one.
            if try await library.draft(draft.id)?.take == draft.take { try await bear(failure, draft) }
        }
        try await library.dropTake(draft.take)
    }

    private func bear(_ failure: ClipIntake.Failure, _ draft: HubDraft) async throws {
        switch failure {
        case .refused(let why): try await refuse(draft, because: why)
        case .died:
            logger.warning("what reads draft \(draft.id) has died")
            guard let deaths = try await library.countDeath(over: draft.id), deaths >= Self.mostDeaths else { return }
            try await refuse(draft, because: Self.deadly)
        case .notNow, .unable: throw failure
        }
    }

    /// The part that could not be made; the picture of the recording where that could not.
    func giveUp(_ draft: HubDraft, because why: String) async throws -> Bool {
        guard draft.state != .making else {
            try await refuse(draft, because: why)
            return true
        }
        try await library.note(HubSound(seconds: 0), of: draft)
        drafts.tell(draft.id)
        return true
    }

    private func refuse(_ draft: HubDraft, because why: String) async throws {
        try await library.refuse(draft, because: PlainText(why, limit: 500).value)
        drafts.tell(draft.id)
    }

    /// Of what cannot be looked at there is a picture of nothing.
    private func look(_ draft: HubDraft, _ order: ClipIntake.Order) async throws {
        let found: HubSound
        do {
            let isWanted: @Sendable () async throws -> Bool = { [library] in
                try await library.draft(draft.id) != nil
            }
            found = try await making(draft.id, isWanted: isWanted) { [intake] in
                try await intake.outline(order, HubDraft.mostPeaks)
            }
        } catch let failure as ClipIntake.Failure {
            switch failure {
            case .refused, .died: found = HubSound(seconds: 0)
            case .notNow, .unable:
                // Deleted meanwhile: there is nothing to wait for.
                guard try await library.draft(draft.id) != nil else { return }
                throw failure
            }
        }
        try await library.note(found, of: draft)
        drafts.tell(draft.id)
    }
}
