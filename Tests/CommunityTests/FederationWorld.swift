import ChirpAccounts
import ChirpCommunity
import ChirpCore
import Foundation
import HubHousehold

/// Ann, who can be followed from other servers, and people there.
struct FederationWorld {
    let house: HubHousehold
    let ann: AccountID
    /// The part of her actor's address.
    let actor: String

    var library: HubLibrary { house.library }

    init() async throws {
        house = try HubHousehold()
        ann = try await house.person("ann")
        try await house.library.federate(ann, key: Secret("a key of hers"))
        actor = try await house.library.federationActor(of: ann)?.id ?? ""
    }

    /// Somebody at another server; those of one host have an inbox in common where it is shared.
    func stranger(_ name: String, at host: String, isShared: Bool = true) async throws -> RemotePerson {
        try await library.keep(
            RemotePerson.Facts(
                address: "https://\(host)/users/\(name)", host: host, handle: "\(name)@\(host)", name: name.capitalized,
                page: "https://\(host)/@\(name)", inbox: "https://\(host)/users/\(name)/inbox",
                sharedInbox: isShared ? "https://\(host)/inbox" : nil, keyID: "https://\(host)/users/\(name)#main-key",
                keyText: "PEM"))
    }

    /// The same, who follows her.
    @discardableResult
    func follower(_ name: String, at host: String, isShared: Bool = true) async throws -> RemotePerson {
        let person = try await stranger(name, at: host, isShared: isShared)
        try await library.apply(.follow(actor), by: person, activity: "https://\(host)/follows/\(name)")
        return person
    }

    /// Posts a clip.
    @discardableResult
    func clip(
        _ title: String, _ visibility: HubPost.Visibility = .published, isHeld: Bool = false
    ) async throws -> HubPost {
        let id = try await house.save(title: title)
        try await house.change("UPDATE clips SET owner = '\(ann.rawValue)' WHERE id = '\(id)'")
        var draft = PostDraft(author: ann, text: title, key: UUID().uuidString)
        draft.clip = HubID(id)
        draft.visibility = visibility
        draft.isHeld = isHeld
        return try await library.post(draft)
    }

    /// Takes out of the queue what waits for a server, in its order.
    func delivered(to host: String) async throws -> [FederationDelivery] {
        var found: [FederationDelivery] = []
        while let next = try await library.nextDelivery(to: host) {
            found.append(next)
            try await library.deliveryEnded(next, wasSent: true)
        }
        return found
    }

    /// Of everything that waits what it is, by server.
    func waiting() async throws -> [String: [FederationDelivery.Kind]] {
        var all: [String: [FederationDelivery.Kind]] = [:]
        for host in try await library.dueHosts(most: 100) { all[host] = try await delivered(to: host).map(\.kind) }
        return all
    }

    func notices() async throws -> [Notice] {
        try await library.seen(by: .member(ann)).notices(limit: 100)
    }
}
