internal import ChirpAccounts
public import ChirpCommunity
internal import ChirpCore
public import ChirpNetworks

/// The hub as a network: posts are rows on this machine, shown by `chirp serve`.
public struct HubNetwork: Network {
    let library: HubLibrary
    private let publicURL: String

    /// The most characters of a post; an address counts like any other text.
    public static let textLimit = 1000
    /// The most posts that one call to ``posts(by:after:)`` gives; the cursor behind them leads to the rest.
    static let batch = 200

    /// - Parameter publicURL: what links begin with, as ``HubAddress/checked(_:)`` gives it.
    public init(library: HubLibrary, publicURL: String = HubAddress.defaultPublicURL) {
        self.library = library
        self.publicURL = publicURL
    }

    public var properties: NetworkProperties {
        NetworkProperties(name: "hub", textRules: .characters(limit: Self.textLimit, perLink: 23))
    }

    /// Everybody here, and what the owner watches, if anything.
    public func followed() async throws(NetworkError) -> [Account] {
        let reader = library.seen(by: .owner)
        do {
            let people = try await reader.accounts().map(Account.init)
            return try await reader.countOfWatched() > 0 ? people + [.watched] : people
        } catch {
            throw error.asNetworkError
        }
    }

    public func publish(_ draft: Draft) async throws(NetworkError) -> Post? {
        do {
            return post(try await library.post(draft.text, link: draft.link, key: draft.key.text))
        } catch {
            throw error.asNetworkError
        }
    }

    public func remove(_ id: Post.ID) async throws(NetworkError) {
        do { try await library.removePost(id.text) } catch { throw error.asNetworkError }
    }

    public func posts(
        by accounts: [Account.ID], after cursor: Cursor?
    ) async throws(NetworkError) -> (posts: [Post], next: Cursor?) {
        guard let after = cursor.map({ PageCursor($0.text) }) ?? .start else {
            throw .refused(status: 400, detail: "'\(cursor?.text ?? "")' is not a place in this feed")
        }
        let people = Set(accounts).subtracting([Account.watched.id])
        let selection = PostSelection.byAny(
            people.map { AccountID(rawValue: $0.text) }, watched: accounts.contains(Account.watched.id))
        do {
            let found = try await library.seen(by: .owner).posts(after: after, selection, limit: Self.batch)
            return (
                found.map { post($0).asWatched(unlessBy: people) },
                found.last.map { Cursor(String($0.sequence)) } ?? cursor
            )
        } catch {
            throw error.asNetworkError
        }
    }

    private func post(_ post: HubPost) -> Post {
        let page = post.clip.map { HubLinks(publicURL: publicURL).page($0.id) }
        // What somebody elsewhere has posted says where it is read there; what is heard is the copy here.
        let link = post.author.isElsewhere ? page ?? "" : post.link
        return Post(
            id: Post.ID(post.id), author: Account(post.author), text: post.text,
            links: link.isEmpty ? [] : [link],
            tags: PostText.tags(in: post.text),
            url: page, created: post.created)
    }
}

extension Account {
    fileprivate init(_ account: PostAuthor) {
        self.init(id: Account.ID(account.id.rawValue), handle: account.handle, displayName: account.name)
    }
}
