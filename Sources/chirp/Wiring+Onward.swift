import ChirpCommands
import ChirpCore
import ChirpHub
import ChirpNetworks
import ChirpOAuth

/// What the process behind `chirp hub onward` is asked.
enum OnwardQuestion: Codable, Sendable {
    /// Where somebody has signed in: `[OnwardPublishing.Linked]`.
    case linked
    /// `OnwardPublishing.Answer`.
    case publish(OnwardPublishing.Order)
}

extension Wiring {
    /// For the server, which opens neither the sign-ins nor the journal: another process of this program does, for each question.
    ///
    /// - Parameter arguments: those by which the other finds the same settings.
    static func onwardPublishing(_ arguments: [String]) -> OnwardPublishing {
        let program = OwnProgram(arguments: ["hub", "onward"] + arguments)
        return OnwardPublishing(
            linked: { await program.ask(OnwardQuestion.linked, for: [OnwardPublishing.Linked].self) ?? [] },
            publish: { order in
                await program.ask(OnwardQuestion.publish(order), for: OnwardPublishing.Answer.self)
                    ?? .notNow(why: "the process that posts has ended without an answer")
            })
    }

    /// The networks to which somebody has signed in, and how they count. What cannot be asked now counts as usual.
    func linkedNetworks() async -> [OnwardPublishing.Linked] {
        var found: [OnwardPublishing.Linked] = []
        if let mastodon = try? mastodonNetwork() {
            found.append(Self.linked(mastodon, (try? await mastodon.textRules()) ?? mastodon.properties.textRules))
        }
        // Posting by hand is no sign-in, and nothing that a server does.
        if session.config.xMode.value == .link, (try? credentials.credential(for: "x")) ?? nil != nil,
            let x = try? xNetwork()
        {
            found.append(Self.linked(x, x.properties.textRules))
        }
        return found
    }

    private static func linked(_ network: any Network, _ rules: TextRules) -> OnwardPublishing.Linked {
        let link =
            switch rules {
            case .characters(_, let perLink): perLink
            case .weighted: 23
            }
        return OnwardPublishing.Linked(network: network.properties.name, most: rules.limit, link: link)
    }

    /// Posts for the server.
    func publishOnward(_ order: OnwardPublishing.Order) async -> OnwardPublishing.Answer {
        guard let name = NetworkName(rawValue: order.network), name == .mastodon || name == .x else {
            return .refused(why: "this network is not known here")
        }
        do {
            let network = try network(name)
            let share = ShareText(words: order.words, link: order.page, rules: try await network.textRules())
            let draft = Draft(
                key: Draft.Key(order.key), text: share.text, link: order.page, isRepetition: order.isRepetition)
            guard let post = try await network.publish(draft) else {
                return .refused(why: "posting there is left to you: x.mode is intent")
            }
            return .posted(link: post.url)
        } catch let error as NetworkError {
            return error.isPermanent ? .refused(why: error.whatHappened) : .notNow(why: error.whatHappened)
        } catch {
            return .refused(why: (error as? any Explained)?.whatHappened ?? "it cannot be posted there")
        }
    }
}
