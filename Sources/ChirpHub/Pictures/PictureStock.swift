internal import ChirpAccounts
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpWeb
internal import HTTPTypes

/// Takes pictures of things in: has them made where they can do no harm, and keeps them as somebody's.
struct PictureStock: Sendable {
    private let library: HubLibrary
    private let intake: PictureIntake?
    private let limits: RateLimits
    private let quota: ByteCount
    /// Each is made in a process that may take 512 MB: two at once.
    private let turns = AsyncSemaphore(width: 2)

    /// Each takes a child's time. Ten listings of six pictures an hour.
    private static let rule = RateRule(60, per: 3600)

    /// - Parameter quota: what all clips and pictures of an account may take.
    init(_ library: HubLibrary, _ intake: PictureIntake?, limits: RateLimits, quota: ByteCount) {
        self.library = library
        self.intake = intake
        self.limits = limits
        self.quota = quota
    }

    /// For a board's desk; nil: this hub takes none.
    var forBoards: (@Sendable (_ file: SentFile, _ owner: AccountID) async throws -> HubID)? {
        guard intake?.makeForItem != nil else { return nil }
        return { file, owner in try await take(file, of: owner).id }
    }

    /// Takes one in.
    ///
    /// - Parameter file: as it was sent; any bytes.
    /// - Throws: ``Problem``, ``AccountError`` for too many in an hour.
    func take(_ file: SentFile, of account: AccountID) async throws -> HubPicture {
        guard let make = intake?.makeForItem else {
            throw Problem(.unprocessableContent, "pictures-off", "This hub takes no pictures")
        }
        guard !file.isEmpty else { throw Problem(.unprocessableContent, "no-file", "There is no picture") }
        guard file.count <= PictureIntake.mostItemBytes else {
            throw Problem(.contentTooLarge, "too-large", "A picture may have 20 MB")
        }
        try await limits.consume("pictures", Self.rule, by: .account(account))
        let made: NewPicture
        guard await turns.enter() else { throw CancellationError() }
        do {
            defer { turns.leave() }
            made = try await file.withBytes(make)
        } catch let error as PictureIntake.Refusal {
            throw Problem(
                .unprocessableContent, "refused", "This picture cannot be used",
                detail: PlainText(error.reason, limit: 300).value)
        }
        do throws(UploadRefusal) { return try await library.addPicture(made, of: account, quota: quota) } catch {
            throw UploadDesk.problem(error)
        }
    }
}
