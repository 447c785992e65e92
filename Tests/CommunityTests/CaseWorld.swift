import ChirpAccounts
import ChirpCommunity
import ChirpCore
import ChirpTestKit
import Foundation
import HubHousehold
import Testing

/// A library with people in it: members, moderators and the owner, who are known here for two days.
struct CaseWorld {
    let house: HubHousehold
    let ann: AccountID
    let bob: AccountID
    let carl: AccountID
    let dora: AccountID
    /// Moderators.
    let mia: AccountID
    let max: AccountID

    var library: HubLibrary { house.library }
    var owner: AccountID { library.owner.id }

    init() async throws {
        house = try HubHousehold()
        ann = try await Self.person("ann", house)
        bob = try await Self.person("bob", house)
        carl = try await Self.person("carl", house)
        dora = try await Self.person("dora", house)
        mia = try await Self.person("mia", house)
        max = try await Self.person("max", house)
        for moderator in [mia, max] {
            try await house.library.setRole(of: moderator, to: .moderator, by: house.library.owner.id)
        }
        house.wait(2 * 24 * 3600)
    }

    static let password = Secret("correct horse battery")

    static func person(_ name: String, _ house: HubHousehold) async throws -> AccountID {
        let accounts = accounts(of: house)
        let letter = try await accounts.signUp(
            handle: Handle(typed: name), mail: MailAddress(typed: "\(name)@example.org"), password: password,
            registration: .open)
        guard case .confirm(_, let link) = letter else { throw Unexpected() }
        _ = try await accounts.confirm(link.token)
        return try #require(try await accounts.account(Handle(typed: name))).id
    }

    static func accounts(of house: HubHousehold) -> Accounts {
        house.library.accounts(PasswordDesk(cost: PasswordCost(memory: 8192, passes: 1)))
    }

    var accounts: Accounts { Self.accounts(of: house) }

    func person(_ name: String) async throws -> AccountID { try await Self.person(name, house) }

    /// Posts text.
    func post(by author: AccountID, _ text: String = "Listen to this") async throws -> Int64 {
        try await library.post(PostDraft(author: author, text: text, key: UUID().uuidString)).sequence
    }

    /// Whether everybody sees a post.
    func isSeen(_ post: Int64) async throws -> Bool { try await library.seen(by: .visitor).post(post) != nil }

    /// Reports a post, some time after whatever was reported before.
    @discardableResult
    func report(
        _ post: Int64, by reporter: AccountID, for reason: ReportReason = .spam
    ) async throws -> ReportReceipt {
        house.wait(600)
        return try await library.report(.post(post), by: reporter, for: reason, text: "Look at this")
    }

    /// What a call is refused with; nil when it is not.
    func refusal(_ body: () async throws(CaseError) -> Void) async -> CaseError? {
        do throws(CaseError) {
            try await body()
            return nil
        } catch { return error }
    }

    func state(of account: AccountID) async throws -> HubAccount.State? { try await accounts.account(account)?.state }

    struct Unexpected: Error {}
}
