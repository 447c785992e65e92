internal import HTTPTypes

/// The description of an API (OpenAPI 3.1.0, spec.openapis.org), made of the declared routes for programs.
package struct OpenAPIDocument {
    private let routes: [WebRoute]
    private let publicURL: String
    private let title: String

    /// - Parameters:
    ///   - routes: those for people are left out.
    ///   - publicURL: without a slash at the end.
    package init(_ routes: [WebRoute], title: String, publicURL: String) {
        self.routes = routes.filter { if case .programs = $0.audience { true } else { false } }
        self.publicURL = publicURL
        self.title = title
    }

    package var json: JSONValue {
        let paths = Dictionary(grouping: routes) { Self.template($0.path) }.mapValues { routes in
            JSONValue.object(
                Dictionary(
                    routes.map { ($0.method.rawValue.lowercased(), OpenAPIOperation(route: $0).json) },
                    uniquingKeysWith: { first, _ in first }))
        }
        return [
            "openapi": "3.1.0",
            "info": [
                "title": .text(title), "version": "1",
                "description": """
                A token is sent as Authorization: Bearer. The scripts of this server's pages send their session's cookie and, with every \
                other method than GET, the token of a form in the header X-Chirp-Form. Bodies are JSON objects or forms.
                """,
            ],
            "servers": [["url": .text(publicURL)]],
            "paths": .object(paths),
            "components": [
                "securitySchemes": [
                    "oauth": [
                        "type": "oauth2",
                        "flows": [
                            "authorizationCode": [
                                "authorizationUrl": .text("\(publicURL)/oauth/authorize"),
                                "tokenUrl": .text("\(publicURL)/oauth/token"),
                                "scopes": .object(
                                    Dictionary(uniqueKeysWithValues: Scopes.known.map { ($0, JSONValue.text($0)) })),
                            ]
                        ],
                    ]
                ],
                "schemas": ["Problem": Self.problem, "Error": Self.error],
            ],
        ]
    }

    /// RFC 9457, section 3, with what is wrong with each field.
    private static let problem: JSONValue = [
        "type": "object", "required": ["type", "title", "status"],
        "properties": [
            "type": ["type": "string", "format": "uri-reference"], "title": ["type": "string"],
            "status": ["type": "integer"], "detail": ["type": "string"],
            "errors": ["type": "object", "additionalProperties": ["type": "string"]],
        ],
    ]

    /// As Mastodon and OAuth 2.0 have it; some older addresses give an object.
    private static let error: JSONValue = [
        "type": "object", "required": ["error"],
        "properties": ["error": ["type": ["string", "object"]], "error_description": ["type": "string"]],
    ]

    /// `/a/:id` as `/a/{id}`.
    static func template(_ path: String) -> String {
        path.split(separator: "/", omittingEmptySubsequences: false).map { part in
            part.first == ":" ? "{\(part.dropFirst())}" : String(part)
        }.joined(separator: "/")
    }
}
