internal import ChirpAccounts
internal import ChirpCommunity
internal import ChirpWeb
internal import Hummingbird

/// What this hub is, and how to use it.
struct AboutRoutes {
    let desk: PageDesk
    let own: HubWords
    /// Whether names of places are shown, whose makers want to be named.
    var hasPlaces = false
    /// Who may sign up.
    let registration: @Sendable () async throws -> Registration

    var routes: [WebRoute] {
        [
            .get("/about") { _, _ in
                let owner = try await desk.library.seen(by: .visitor).people(
                    .these([desk.library.owner.id]), limit: 1
                ).first
                let registration = try await registration()
                let page = AboutPage(
                    links: desk.links, owner: owner, registration: registration, own: own, hasPlaces: hasPlaces)
                return .page(page.html)
            },
            .get("/help") { _, _ in .page(HelpPage(links: desk.links).html) },
        ]
    }
}
