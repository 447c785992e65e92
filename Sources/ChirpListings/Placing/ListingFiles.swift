internal import ChirpAccounts
internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpWeb

/// Takes in what belongs to a listing: pictures and what is said.
struct ListingFiles {
    let desk: ListingDesk

    /// The largest picture and recording, and the largest form with all of them, in bytes.
    static let mostPictureBytes = 20 << 20
    static let mostClipBytes = 25 << 20
    static let mostFormBytes = 64 << 20

    /// The fields of the form that have files. More and larger ones than are taken come this far, so that the form can say so.
    static let inForm = [
        FileForm.Files("files", most: 20, mostBytes: mostFormBytes),
        FileForm.Files("voice", mostBytes: mostFormBytes),
    ]

    /// - Throws: ``ListingRefusal``; 429 as a ``Problem``.
    func picture(_ file: SentFile, of account: AccountID) async throws -> HubID {
        guard let take = desk.desk.takePicture else { throw ListingRefusal.fields([.pictures: .takenNowhere]) }
        guard file.count <= Self.mostPictureBytes else {
            throw ListingRefusal.fields([.pictures: .tooLarge(most: Self.mostPictureBytes)])
        }
        try await desk.consume("listing-file", ListingDesk.Rule.files, account)
        do { return try await take(file, account) } catch {
            throw ListingRefusal.fields([.pictures: .unusable(Self.reason(error, word("listing.fault.picture")))])
        }
    }

    /// The same for a recording.
    func clip(_ file: SentFile, title: String, of account: AccountID) async throws -> HubID {
        guard let take = desk.desk.takeClip else { throw ListingRefusal.fields([.clip: .takenNowhere]) }
        guard file.count <= Self.mostClipBytes else {
            throw ListingRefusal.fields([.clip: .tooLarge(most: Self.mostClipBytes)])
        }
        try await desk.consume("listing-file", ListingDesk.Rule.files, account)
        do { return try await take(file, title, account) } catch {
            throw ListingRefusal.fields([.clip: .unusable(Self.reason(error, word("listing.fault.clip")))])
        }
    }

    /// Adds a form's files to what was typed.
    ///
    /// - Returns: what was wrong with them.
    func add(
        _ sent: FileForm, to form: inout ListingForm, of account: AccountID
    ) async throws -> [ListingField: ListingFault] {
        var faults: [ListingField: ListingFault] = [:]
        for file in sent.files("files") {
            guard form.pictures.count < ItemDraft.mostPictures else {
                faults[.pictures] = .tooMany(most: ItemDraft.mostPictures)
                break
            }
            do { form.pictures.append(try await picture(file, of: account)) } catch let refusal as ListingRefusal {
                faults.merge(refusal.faults) { first, _ in first }
            }
        }
        if let file = sent.files("voice").first {
            let title = PlainText(form[.title], limit: ListingDraft.longestTitle).value
            do { form.clip = try await clip(file, title: title, of: account) } catch let refusal as ListingRefusal {
                faults.merge(refusal.faults) { first, _ in first }
            }
        }
        return faults
    }

    /// What may be told of why something was not taken.
    private static func reason(_ error: any Error, _ otherwise: String) -> String {
        switch error {
        case let problem as Problem: PlainText(problem.detail ?? problem.title, limit: 200).value
        case let error as any Explained: PlainText(error.whatHappened, limit: 200).value
        default: otherwise
        }
    }
}
