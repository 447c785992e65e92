import ChirpWeb

/// What the declared routes say of who may use them, and with which token, as the tables in `Docs/rights.md`.
enum RightsTable {
    /// The kinds of viewers that the declaration tells apart, in the order of the columns.
    static let viewers: [(name: String, person: Person?)] = [
        ("visitor", nil), ("unconfirmed", person(.member, isActive: false, isConfirmed: false)),
        ("suspended", person(.member, isActive: false)), ("member", person(.member)),
        ("moderator", person(.moderator)), ("owner", person(.owner)),
    ]

    private static func person(
        _ role: Person.Role, isActive: Bool = true, isConfirmed: Bool = true
    ) -> Person {
        Person(id: "1", handle: "somebody", role: role, isActive: isActive, isConfirmed: isConfirmed)
    }

    static func markdown(_ routes: [WebRoute]) -> String {
        let head = """
            # Who may do what

            Every declared address of a hub with those who may use it. `Scripts/update-rights-table` writes this file from the
            declarations, and `RightsTests` drives each address as each of these people. What somebody sees *there* is another
            question: reading goes through the viewer's reader (`HubReader`), which leaves out the rest.

            | method | address | \(viewers.map(\.name).joined(separator: " | ")) | a token needs |
            |---|---|\(String(repeating: "---|", count: viewers.count))---|

            """
        let rows = routes.map { route in
            let marks = viewers.map { route.access.lets($0.person) ? "yes" : "" }
            return "| \(route.method) | `\(route.path)` | \(marks.joined(separator: " | ")) | \(token(route)) |"
        }
        return head + rows.sorted { key($0) < key($1) }.joined(separator: "\n") + "\n\n" + scopes(routes)
    }

    /// Each scope with the addresses that it opens.
    private static func scopes(_ routes: [WebRoute]) -> String {
        let head = """
            # What a token opens

            A token opens no page. An address for programs names its scopes, and `ScopeTests` drives each address with a token for each
            scope. A token without the scopes of an address is refused there (403, `insufficient_scope`), or is answered as a visitor
            where visitors may read; a session may use all scopes.

            - `read` has every `read:` part and `write` every `write:` part, also those for money and moderation: the page on which a
              person lets a program in says so. `follow` has `read:follows`, `write:follows`, `read:blocks` and `write:blocks`;
              `read:accounts` has `profile`.
            - Moderators and owners are members to a token without `read:moderation` where it reads, and without `write:moderation`
              where it acts.
            - Another password, mail address or user name, the removal of the account and its export need the password again.
            - A frame shows direct messages, so beginning one for an account needs `read:statuses` too.


            """
        let sections = Scopes.known.sorted().map { scope in
            let rows = routes.filter { rule(of: $0)?.names.contains(scope) == true }
            let others = rows.isEmpty ? "No address needs it.\n" : table(rows, of: scope)
            return "## `\(scope)`\n\n\(others)"
        }
        let open = routes.filter { rule(of: $0) == .open }
        return head + sections.joined(separator: "\n")
            + "\n## None\n\nThe same for everybody, whatever token or session comes with it.\n\n"
            + table(open, of: nil)
    }

    private static func table(_ routes: [WebRoute], of scope: String?) -> String {
        let head = """
            | method | address | what is read or done | with | without |
            |---|---|---|---|---|

            """
        let rows = routes.map { route in
            let others = rule(of: route)?.names.filter { $0 != scope }.map { "`\($0)`" } ?? []
            let without = scope == nil ? "" : route.access == .everybody ? "as a visitor" : "403"
            return
                "| \(route.method) | `\(route.path)` | \(route.summary) | \(others.joined(separator: " ")) | \(without) |"
        }
        return head + rows.sorted { key($0) < key($1) }.joined(separator: "\n") + "\n"
    }

    private static func rule(of route: WebRoute) -> TokenRule? {
        guard case .programs(let rule) = route.audience else { return nil }
        return rule
    }

    private static func token(_ route: WebRoute) -> String {
        switch route.audience {
        case .people: "no token opens it"
        case .programs(let rule): rule.names.map { "`\($0)`" }.joined(separator: " ")
        }
    }

    /// By address first, then by method.
    private static func key(_ row: String) -> String {
        let parts = row.split(separator: "|")
        return "\(parts[1])\(parts[0])"
    }
}
