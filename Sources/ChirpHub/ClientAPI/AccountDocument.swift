internal import ChirpAccounts
internal import ChirpCommunity
internal import ChirpWeb

/// A person as Mastodon's API has it (docs.joinmastodon.org/entities/Account).
struct AccountDocument {
    let person: PublicPerson
    let links: HubLinks

    func write(_ json: inout JSONText) { json.object(fields) }

    /// What everybody may know of her.
    func fields(_ json: inout JSONText) {
        let author = person.author
        let page = links.person(author)
        json.field("id", author.id.rawValue)
        json.field("username", String(author.handle.prefix { $0 != "@" }))
        json.field("acct", author.handle)
        json.field("display_name", author.name)
        json.field("locked", false)
        json.field("bot", false)
        json.field("discoverable", true)
        json.field("group", false)
        json.field("created_at", person.created)
        json.field("note", person.bio.isEmpty ? "" : StatusContent.html(person.bio, links: links))
        json.field("url", page)
        json.field("uri", page)
        let picture = "\(links.publicURL)/assets/\(Asset.icon.name)"
        json.field("avatar", picture)
        json.field("avatar_static", picture)
        json.field("header", picture)
        json.field("header_static", picture)
        json.field("followers_count", person.followers)
        json.field("following_count", person.following)
        json.field("statuses_count", person.posts)
        // A day, without the time.
        json.field("last_status_at", person.lastPost.map { String(InstantText.iso($0).prefix(10)) })
        json.none("emojis")
        json.none("fields")
    }

    /// What she alone gets of herself (`CredentialAccount`).
    func writeOwn(_ json: inout JSONText, role: Person.Role) {
        json.object { json in
            fields(&json)
            json.field("source") { json in
                json.object { json in
                    json.field("privacy", "public")
                    json.field("sensitive", false)
                    json.field("language", String?.none)
                    json.field("note", person.bio)
                    json.none("fields")
                    json.field("follow_requests_count", 0)
                }
            }
            json.field("role") { json in
                json.object { json in
                    json.field("id", role == .member ? "-99" : role.rawValue)
                    json.field("name", role == .member ? "" : role.rawValue)
                    json.field("color", "")
                    json.field("permissions", "0")
                    json.field("highlighted", false)
                }
            }
        }
    }
}

/// How the viewer stands to somebody (docs.joinmastodon.org/entities/Relationship).
extension Relationship {
    func write(_ json: inout JSONText) {
        json.object { json in
            json.field("id", account.rawValue)
            json.field("following", isFollowing && !isAsked)
            json.field("showing_reblogs", isFollowing)
            json.field("notifying", false)
            json.none("languages")
            json.field("followed_by", isFollowed)
            json.field("blocking", isBlocking)
            json.field("blocked_by", false)
            json.field("muting", false)
            json.field("muting_notifications", false)
            json.field("requested", isAsked)
            json.field("requested_by", false)
            json.field("domain_blocking", false)
            json.field("endorsed", false)
            json.field("note", "")
        }
    }
}
