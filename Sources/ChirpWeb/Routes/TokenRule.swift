/// The part of a person's account that a route for programs opens: every route names it, so that no token says who asks where it does
/// not say what for.
package enum TokenRule: Hashable, Sendable {
    /// Nobody's: the route answers each request as a visitor's, whatever token or session comes with it.
    case open
    /// A token has to allow all of these scopes. Without them it is refused where ``Access`` asks for a person; elsewhere it is answered
    /// as a visitor's.
    case scopes([String])

    /// The scopes that a token has to allow; none where ``open``.
    package var names: [String] {
        switch self {
        case .open: []
        case .scopes(let names): names
        }
    }
}

extension TokenRule: ExpressibleByStringLiteral, ExpressibleByArrayLiteral {
    package init(stringLiteral value: String) { self = .scopes([value]) }
    package init(arrayLiteral elements: String...) { self = .scopes(elements) }
}

extension WebContext {
    /// Whether the one who asks may use a scope: a session may use all of them, a token those that it allows.
    package func allows(_ scope: String) -> Bool { scopes?.allow(scope) ?? true }

    /// The same request as far as it reads: a token without the scope reads as a visitor does.
    package func reading(_ scope: String) -> WebContext {
        var context = self
        if !allows(scope) { context.person = nil }
        return context
    }
}
