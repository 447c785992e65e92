internal import ChirpAccounts
internal import ChirpCommunity
internal import ChirpPlaces
internal import ChirpWeb

/// A case as the hub's own API gives it. Names are stable; fields may be added.
struct CaseDocument {
    let `case`: ModerationCase
    let links: HubLinks

    func write(_ json: inout JSONText) {
        json.object { json in
            json.field("id", `case`.id)
            switch `case`.subject {
            case .post(let place): json.field("post", "\(place)")
            case .account, .item, .comment: json.field("post", String?.none)
            }
            if case .item(let id) = `case`.subject {
                json.field("item", id.text)
            } else {
                json.field("item", String?.none)
            }
            if case .comment(let id) = `case`.subject {
                json.field("comment", id.text)
            } else {
                json.field("comment", String?.none)
            }
            json.field("claim", `case`.isClaim)
            json.field("account") { Self.write(`case`.account, &$0) }
            json.field("state", `case`.state.rawValue)
            json.field("hides", `case`.hides)
            json.field("returned", `case`.hasReturned)
            json.field("upheld") { json in
                if let isUpheld = `case`.isUpheld { json.value(isUpheld) } else { json.value(String?.none) }
            }
            json.field("deadline", `case`.deadline)
            json.field("created", `case`.created)
            json.field("answer", `case`.answer)
            json.field("appeal", `case`.appeal)
            json.field("content") { json in
                if let post = `case`.post {
                    Self.write(post, links, &json)
                } else if let item = `case`.item {
                    Self.write(item, links, &json)
                } else if let comment = `case`.comment {
                    Self.write(comment, links, &json)
                } else {
                    json.value(String?.none)
                }
            }
            json.field("reports") { json in
                json.array(`case`.reports) { json, report in
                    json.object { json in
                        json.field("reporter") { Self.write(report.reporter, &$0) }
                        json.field("reason", report.reason.rawValue)
                        json.field("text", report.text)
                        json.field("picture", report.picture.map { links.picture($0, .large) })
                        json.field("at", report.at)
                    }
                }
            }
            json.field("decisions") { $0.array(`case`.decisions) { Self.write($1, &$0) } }
        }
    }

    static func write(_ decision: Decision, _ json: inout JSONText) {
        json.object { json in
            json.field("id", "\(decision.id)")
            json.field("case", decision.caseID)
            json.field("by") { write(decision.moderator, &$0) }
            json.field("account") { write(decision.account, &$0) }
            json.field("what", decision.what)
            json.field("until", decision.until)
            json.field("why", decision.why)
            json.field("at", decision.at)
        }
    }

    static func write(_ post: HubPost, _ links: HubLinks, _ json: inout JSONText) {
        json.object { json in
            json.field("id", "\(post.sequence)")
            json.field("author") { write(post.author, &$0) }
            json.field("text", post.text)
            json.field("audio", post.clip.map { links.audio($0.id) })
            json.field("created", post.created)
        }
    }

    /// An item as far as a case shows it. Where it is, only moderators are told.
    static func write(_ item: ItemSummary, _ links: HubLinks, _ json: inout JSONText) {
        json.object { json in
            json.field("id", item.id.text)
            json.field("board", item.board)
            json.field("kind", item.kind)
            json.field("title", item.title)
            json.field("text", item.text)
            json.field("state", item.state.rawValue)
            json.field("hidden", item.isHidden)
            json.field("frozen", item.isFrozen)
            json.field("url", "\(links.publicURL)\(item.path)")
            json.field("audio", item.clip.map { links.audio($0) })
            json.field("pictures") { $0.array(item.pictures) { $0.value(links.picture($1, .large)) } }
            json.field("place") { json in
                guard let place = item.place else { return json.value(String?.none) }
                json.object { json in
                    json.field("name", place.name)
                    json.field("lat") { $0.value(json: "\(place.exact.latitude)") }
                    json.field("lon") { $0.value(json: "\(place.exact.longitude)") }
                }
            }
        }
    }

    static func write(_ comment: CommentSummary, _ links: HubLinks, _ json: inout JSONText) {
        json.object { json in
            json.field("id", comment.id.text)
            json.field("author") { write(comment.author, &$0) }
            json.field("text", comment.text)
            json.field("hidden", comment.isHidden)
            json.field("url", "\(links.publicURL)\(comment.path)")
            json.field("audio", comment.clip.map { links.audio($0) })
            json.field("created", comment.created)
        }
    }

    static func write(_ person: PostAuthor?, _ json: inout JSONText) {
        guard let person else { return json.value(String?.none) }
        json.object { json in
            json.field("id", person.id.rawValue)
            json.field("handle", person.handle)
            json.field("name", person.name)
        }
    }
}
