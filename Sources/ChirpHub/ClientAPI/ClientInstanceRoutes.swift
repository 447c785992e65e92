internal import ChirpCommunity
internal import ChirpCore
internal import ChirpWeb
internal import Hummingbird

/// What a client asks of a server before it knows anybody there, by Mastodon's client API; and lists that are always empty here, for
/// which clients ask all the same.
struct ClientInstanceRoutes {
    let desk: ClientDesk
    /// Whether anybody may sign up.
    let isOpen: Bool
    /// The most bytes of a file that is sent.
    let mostBytes: Int64

    /// Clients read a version of Mastodon before they use what came with it.
    static let version = "4.3.0 (compatible; Chirp)"

    var routes: [WebRoute] {
        [
            .api(.get, "/api/v2/instance", .everybody, scope: .open, summary: "Tells what this hub is, and its limits")
            { _, _ in
                .json { second(&$0) }
            },
            .api(.get, "/api/v1/instance", .everybody, scope: .open, summary: "Tells the same in an older form") {
                _, _ in
                .json { first(&$0) }
            },
            .api(.get, "/api/v1/preferences", .signedIn, scope: "read:accounts", summary: "Tells what one prefers") {
                _, _ in
                .json { json in
                    json.field("posting:default:visibility", "public")
                    json.field("posting:default:sensitive", false)
                    json.field("posting:default:language", String?.none)
                    json.field("reading:expand:media", "default")
                    json.field("reading:expand:spoilers", false)
                }
            },
        ]
            + [
                ("/api/v1/custom_emojis", Access.everybody), ("/api/v1/announcements", .signedIn),
                ("/api/v1/lists", .signedIn), ("/api/v2/filters", .signedIn), ("/api/v1/filters", .signedIn),
                ("/api/v1/follow_requests", .signedIn), ("/api/v1/mutes", .signedIn),
            ].map { path, access in
                .api(.get, path, access, scope: access == .everybody ? .open : "read", summary: "Is empty here") {
                    _, _ in
                    var json = JSONText()
                    json.array([Int]()) { _, _ in }
                    return .json(json)
                }
            }
    }

    private func second(_ json: inout JSONText) {
        json.field("domain", desk.links.authority)
        json.field("title", "Chirp")
        json.field("version", Self.version)
        json.field("source_url", "")
        json.field("api_versions") { $0.object { $0.field("mastodon", 2) } }
        json.field("description", "Sound into posts, posts into sound.")
        json.field("usage") { $0.object { $0.field("users") { $0.object { $0.field("active_month", 0) } } } }
        json.field("thumbnail") { json in
            json.object { $0.field("url", "\(desk.links.publicURL)/assets/\(Asset.icon.name)") }
        }
        json.field("languages") { $0.array(["en"]) { $0.value($1) } }
        json.field("configuration") { json in
            json.object { json in
                json.field("urls") { $0.object { $0.field("streaming", desk.links.publicURL) } }
                json.field("accounts") { $0.object { $0.field("max_featured_tags", 0) } }
                configuration(&json)
            }
        }
        json.field("registrations") { json in
            json.object { json in
                json.field("enabled", isOpen)
                json.field("approval_required", false)
                json.field("message", String?.none)
            }
        }
        json.field("contact") { $0.object { $0.field("email", "") } }
        json.none("rules")
    }

    private func first(_ json: inout JSONText) {
        json.field("uri", desk.links.authority)
        json.field("title", "Chirp")
        json.field("short_description", "Sound into posts, posts into sound.")
        json.field("description", "Sound into posts, posts into sound.")
        json.field("email", "")
        json.field("version", Self.version)
        json.field("urls") { $0.object { $0.field("streaming_api", desk.links.publicURL) } }
        json.field("stats") { json in
            json.object { json in
                json.field("user_count", 0)
                json.field("status_count", 0)
                json.field("domain_count", 1)
            }
        }
        json.field("languages") { $0.array(["en"]) { $0.value($1) } }
        json.field("registrations", isOpen)
        json.field("approval_required", false)
        json.field("invites_enabled", false)
        json.field("configuration") { $0.object(configuration) }
        json.none("rules")
    }

    private func configuration(_ json: inout JSONText) {
        json.field("statuses") { json in
            json.object { json in
                json.field("max_characters", ClientStatusRoutes.longest)
                json.field("max_media_attachments", 1)
                json.field("characters_reserved_per_url", ClientStatusRoutes.link)
            }
        }
        json.field("media_attachments") { json in
            json.object { json in
                json.field("supported_mime_types") { json in
                    json.array(["audio/mpeg", "audio/wav", "audio/x-wav", "audio/flac", "audio/ogg"]) { $0.value($1) }
                }
                json.field("image_size_limit", 0)
                json.field("video_size_limit", Int(mostBytes))
            }
        }
        json.field("polls") { $0.object { $0.field("max_options", 0) } }
    }
}
