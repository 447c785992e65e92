internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpWeb
internal import Hummingbird

/// Whether others hear of the records that one breaks (``RecordAnnouncements``), as one chooses it below one's own attempts.
struct AnnouncingRoutes {
    let desk: RecordDesk

    private static let path = "\(RecordDesk.path)/announcing"
    private static let api = "\(RecordDesk.api)/announcing"

    var routes: [WebRoute] {
        [
            .post(Self.path, .signedIn) { _, context, form in
                try await desk.visits.announce(form["announced"] == "yes", for: try context.account)
                return desk.goOn(to: "\(RecordDesk.path)/mine")
            },
            .api(
                .get, Self.api, .signedIn, scope: "read:accounts", summary: "Whether the asker's records are announced"
            ) { _, context in
                let visit = try await desk.visits.visit(of: try context.account)
                return try .json(AnnouncingDocument(announced: visit.isAnnounced)).personal
            },
            .api(
                .put, Self.api, .signedIn, scope: "write:accounts",
                summary: "Chooses whether the asker's records are announced",
                takes: [.text("announced", "yes or no")]
            ) { request, context in
                try await desk.answering(request, context) {
                    let sent = try await request.fields()["announced"]
                    guard let sent, ["yes", "no"].contains(sent) else {
                        throw Problem.notTaken(["announced": word("challenge.announcing.which")])
                    }
                    try await desk.visits.announce(sent == "yes", for: try context.account)
                    return try .json(AnnouncingDocument(announced: sent == "yes")).personal
                }
            },
        ]
    }

    /// What stands below one's own attempts.
    static func section(_ isAnnounced: Bool, token: String, links: HubLinks) -> HTML {
        let (now, button) =
            isAnnounced
            ? (word("challenge.announcing.on"), word("challenge.announcing.end"))
            : (word("challenge.announcing.off"), word("challenge.announcing.begin"))
        return """
            <section aria-labelledby="announcing"><h2 class="section" id="announcing">\(word("challenge.announcing"))</h2>
            <p>\(now)</p>
            <form method="post" action="\(links.prefix)\(path)"><input type="hidden" name="token" value="\(token)">\
            <input type="hidden" name="announced" value="\(isAnnounced ? "no" : "yes")">\
            <button class="act">\(button)</button></form></section>
            """
    }
}

/// Whether somebody's records are announced, as programs read it.
private struct AnnouncingDocument: Encodable { let announced: Bool }
