internal import HTTPTypes
internal import Hummingbird

/// One route in the description of an API.
struct OpenAPIOperation {
    let route: WebRoute

    var json: JSONValue {
        var members: [String: JSONValue] = [
            "operationId": .text(id), "summary": .text(route.summary), "responses": .object(responses),
            "security": security,
        ]
        if !parameters.isEmpty { members["parameters"] = .list(parameters) }
        if let body { members["requestBody"] = body }
        return .object(members)
    }

    /// Method and path, in letters, digits and `_`.
    private var id: String {
        let path = route.path.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? String($0) : "_" }.joined()
        return route.method.rawValue.lowercased() + path
    }

    private var security: JSONValue {
        guard case .programs(let scope) = route.audience else { return [] }
        let token: JSONValue = ["oauth": .list(scope.names.map { .text($0) })]
        return route.access == .everybody ? [[:], token] : [token]
    }

    private var parameters: [JSONValue] {
        let inPath = route.path.split(separator: "/").filter { $0.first == ":" }.map { part -> JSONValue in
            ["name": .text(String(part.dropFirst())), "in": "path", "required": true, "schema": ["type": "string"]]
        }
        let inQuery = route.query.map { field -> JSONValue in
            [
                "name": .text(field.name), "in": "query", "required": .flag(field.isRequired),
                "schema": field.schema,
            ]
        }
        return inPath + inQuery
    }

    private var body: JSONValue? {
        switch route.body {
        case .none, .form, .files: return nil
        case .stream, .upload: return ["content": ["*/*": [:]]]
        case .upTo:
            var schema: [String: JSONValue] = ["type": "object"]
            if !route.takes.isEmpty {
                schema["properties"] = .object(
                    Dictionary(route.takes.map { ($0.name, $0.schema) }, uniquingKeysWith: { first, _ in first }))
                let required = route.takes.filter(\.isRequired).map { JSONValue.text($0.name) }
                if !required.isEmpty { schema["required"] = .list(required) }
            }
            let content: JSONValue = ["schema": .object(schema)]
            return [
                "required": .flag(route.takes.contains(where: \.isRequired)),
                "content": ["application/json": content, "application/x-www-form-urlencoded": content],
            ]
        }
    }

    private var responses: [String: JSONValue] {
        var all = ["default": refusal("It did not work")]
        for (status, words) in refusals { all["\(status)"] = refusal(words) }
        all["\(route.gives)"] =
            route.gives == 204
            ? ["description": "Done"] : ["description": "Done", "content": .object([route.givesType: [:]])]
        return all
    }

    private var refusals: [(Int, String)] {
        var all = [
            (400, "The request is not understood"), (401, "Nobody is signed in, or the token has ended"),
            (429, "Too often"), (503, "Busy"),
        ]
        if route.access != .everybody { all.append((403, "The account or the token may not do this")) }
        if route.path.contains("/:") { all.append((404, "Nothing, or nothing that may be seen")) }
        if route.body != .none {
            all += [
                (413, "Too much"), (415, "Neither JSON nor a form"), (422, "What is sent cannot be taken"),
            ]
        }
        return all
    }

    private func refusal(_ words: String) -> JSONValue {
        // Other servers look at the status alone; what is said with it is a line or a page for people.
        let isForServers = ["/ap/", "/.well-known/", "/nodeinfo/"].contains { route.path.hasPrefix($0) }
        guard !isForServers else { return ["description": .text(words)] }
        // The hub's own API has RFC 9457's form, what other programs know has theirs.
        let isOwn = route.path.hasPrefix("/api/hub/") || route.path.hasPrefix("/api/uploads")
        let (type, schema) = isOwn ? ("application/problem+json", "Problem") : ("application/json", "Error")
        return [
            "description": .text(words),
            "content": .object([type: ["schema": ["$ref": .text("#/components/schemas/\(schema)")]]]),
        ]
    }
}

extension WebField {
    fileprivate var schema: JSONValue {
        var members: [String: JSONValue] =
            switch kind {
            case .text: ["type": "string"]
            case .number: ["type": "integer"]
            case .flag: ["type": "boolean"]
            case .list: ["type": "array", "items": ["type": "string"]]
            }
        if !meaning.isEmpty { members["description"] = .text(meaning) }
        return .object(members)
    }
}
