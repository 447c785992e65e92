internal import ChirpAccounts
internal import ChirpCommunity
internal import ChirpWeb
internal import Hummingbird

/// What this hub is, and how to use it.
struct AboutRoutes {
    let desk: PageDesk
    let own: HubWords
    /// Who may sign up.
    let registration: @Sendable () async throws -> Registration

    var routes: [WebRoute] {
        [
            .get("/about") { _, _ in
                let owner = try await desk.library.seen(by: .visitor).people(
                    .these([desk.library.owner.id]), limit: 1
                ).first
                let registration = try await registration()
                return .page(AboutPage(links: desk.links, owner: owner, registration: registration, own: own).html)
            },
            .get("/help") { _, _ in .page(HelpPage(links: desk.links).html) },
        ]
    }
}
