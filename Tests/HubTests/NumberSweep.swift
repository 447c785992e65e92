import ChirpWeb
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// Every parameter and field of the declared routes, each with extreme numbers: the requests, one after another.
struct NumberSweep {
    /// What is sent.
    struct Sent {
        let method: HTTPRequest.Method
        var path: String
        var headers: HTTPFields = [:]
        var body: String?

        /// As it is told when it did harm.
        var line: String {
            let more = headers.map { " \($0.name): \($0.value)" }.joined()
            return "\(method) \(path)\(more)\(body.map { " \($0)" } ?? "")"
        }
    }

    let routes: [WebRoute]
    /// Ids of things that there are, by the beginning of an address and by the name of a parameter.
    let ids: [(prefix: String, parameter: String, id: String)]
    /// What boards take, by their addresses.
    let drafts: [String: [String: String]]
    /// Every number in every field; otherwise those of undeclared queries take turns.
    let isWhole: Bool

    /// What ends the account or the token of who asks.
    private static var left: Regex<Substring> { #/sign-?out|revoke|/account$|/sessions|recover/# }
    /// Fields of bodies whose description names none.
    private static let unnamed: [String: [String]] = [
        "/api/v1/statuses": ["status", "in_reply_to_id", "media_ids[]"],
        "/api/v1/reports": ["account_id", "status_ids[]"],
        "/api/hub/v1/moderation/cases/:id/decisions": ["days"], "/api/hub/v1/moderation/addresses": ["days", "prefix"],
        "/api/hub/v1/moderation/invitations": ["uses", "days"],
    ]
    /// What other fields hold meanwhile.
    private static let plain = [
        "status": "Hello", "account_id": "1", "what": "suspend", "why": "A reason", "state": "decided",
        "prefix": "192.0.2.0/24", "reason": "spam", "text": "Words", "title": "A title", "answer": "Yes",
        "do": "replay",
        "words": "Words", "amount": "12.50", "currency": "EUR", "name": "A name", "price": "amount", "key": "one",
    ]

    /// Calls for each request.
    func each(_ send: (WebRoute, Sent) async throws -> Void) async throws {
        var turn = 0
        func some(_ name: String, isDeclared: Bool) -> [String] {
            guard !isWhole, !isDeclared else { return ExtremeNumbers.all }
            turn += 1
            let next = ExtremeNumbers.all[turn % ExtremeNumbers.all.count]
            return ExtremeNumbers.cursors.contains(name) ? [ExtremeNumbers.all[0], next] : [next]
        }
        for route in routes where route.path.firstMatch(of: Self.left) == nil {
            let path = path(route)
            for name in parameters(route) where route.method == .get || isForPrograms(route) {
                for number in ExtremeNumbers.all {
                    try await send(route, Sent(method: route.method, path: self.path(route, [name: number])))
                }
            }
            if route.method == .get {
                let declared = route.query.map(\.name)
                for name in declared + ExtremeNumbers.names.filter({ !declared.contains($0) }) {
                    for number in some(name, isDeclared: declared.contains(name)) {
                        let value = ExtremeNumbers.value(number, of: name)
                        try await send(route, Sent(method: .get, path: "\(path)?\(name)=\(value)"))
                    }
                }
                for number in some("Range", isDeclared: false) {
                    let headers: HTTPFields = [.range: "bytes=\(number)-\(number)", .lastEventID: number]
                    try await send(route, Sent(method: .get, path: path, headers: headers))
                }
            } else if isForPrograms(route) {
                for name in route.takes.map(\.name) + (Self.unnamed[route.path] ?? []) {
                    for number in ExtremeNumbers.all {
                        try await send(route, sent(route, path, name, number))
                    }
                }
                for number in ExtremeNumbers.all where route.path.contains("/uploads") {
                    try await send(route, upload(route, path, number))
                }
            }
        }
    }

    private func isForPrograms(_ route: WebRoute) -> Bool {
        if case .programs = route.audience { true } else { false }
    }

    private func parameters(_ route: WebRoute) -> [String] {
        route.path.matches(of: #/[:{](\w+)/#).map { String($0.1) }
    }

    /// The address with things that there are, and with something else in the place of a parameter.
    private func path(_ route: WebRoute, _ changed: [String: String] = [:]) -> String {
        route.path.replacing(#/:(\w+)|\{(\w+)\}/#) { match in
            let name = String(match.1 ?? match.2 ?? "")
            if let number = changed[name] { return number }
            return ids.first { route.path.hasPrefix($0.prefix) && $0.parameter == name }?.id ?? "999999"
        }
    }

    private func sent(_ route: WebRoute, _ path: String, _ name: String, _ number: String) -> Sent {
        var fields: [String: String] = [:]
        for other in route.takes.map(\.name) + (Self.unnamed[route.path] ?? []) { fields[other] = Self.plain[other] }
        if let draft = drafts.first(where: { route.path.hasPrefix($0.key) })?.value { fields.merge(draft) { $1 } }
        fields[name] = nil
        let others = fields.sorted { $0.key < $1.key }.map { "\"\($0.key)\": \"\($0.value)\", " }.joined()
        let value = ["at", "pin"].contains(name) ? "\"\(number),\(number)\"" : ExtremeNumbers.json(number)
        return Sent(
            method: route.method, path: path, headers: [.contentType: "application/json"],
            body: "{\(others)\"\(name)\": \(value)}")
    }

    /// Sizes and places of uploads stand in the head.
    private func upload(_ route: WebRoute, _ path: String, _ number: String) -> Sent {
        var headers: HTTPFields = [.contentType: "application/offset+octet-stream"]
        let expires = Data(number.utf8).base64EncodedString()
        for (name, value) in [
            ("Tus-Resumable", "1.0.0"), ("Upload-Length", number), ("Upload-Offset", number),
            ("Upload-Metadata", "filename YS53YXY=,kind ZmlsbQ==,timer \(expires),expires \(expires)"),
        ] {
            if let name = HTTPField.Name(name) { headers[name] = value }
        }
        return Sent(method: route.method, path: path, headers: headers, body: "")
    }
}
