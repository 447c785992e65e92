import ChirpWeb

/// What the declared routes say of who may use them, as the table in `Docs/rights.md`.
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
        return head + rows.sorted { key($0) < key($1) }.joined(separator: "\n") + "\n"
    }

    private static func token(_ route: WebRoute) -> String {
        switch route.audience {
        case .people: "no token opens it"
        case .programs(nil): ""
        case .programs(let scope?): "`\(scope)`"
        }
    }

    /// By address first, then by method.
    private static func key(_ row: String) -> String {
        let parts = row.split(separator: "|")
        return "\(parts[1])\(parts[0])"
    }
}
