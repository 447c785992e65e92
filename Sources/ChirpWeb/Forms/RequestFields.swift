internal import ChirpCore
internal import FoundationEssentials
package import Hummingbird

/// What a program has sent: the fields of a form, or of a JSON object. Both are read alike, since clients differ.
package struct RequestFields: Sendable {
    private var values: [String: [String]] = [:]

    /// The first value of a name; nil when there is none.
    package subscript(_ name: String) -> String? { values[name]?.first }

    /// All values of a name, as in `media_ids[]=1&media_ids[]=2`.
    package func list(_ name: String) -> [String] { values[name] ?? [] }

    /// Whether a name stands for yes; nil when it is not given.
    package func bool(_ name: String) -> Bool? {
        self[name].map { ["1", "true", "yes", "on"].contains($0.lowercased()) }
    }

    /// Every name, in order.
    package var names: [String] { values.keys.sorted() }

    package init(_ pairs: [(name: String, value: String)] = []) {
        for pair in pairs { add(pair.value, to: pair.name) }
    }

    /// - Throws: 400 for what is no JSON object, or one nested deeper than any call here is.
    init(json bytes: some Sequence<UInt8>) throws {
        let value: Value
        do { value = try JSONDecoder().decode(Value.self, from: Data(bytes)) } catch {
            throw Problem(.badRequest, "not-understood", "This is no JSON that is understood here")
        }
        guard case .object(let members) = value else {
            throw Problem(.badRequest, "not-understood", "A JSON object is expected")
        }
        for (name, value) in members { try add(value, to: name, depth: 0) }
    }

    private mutating func add(_ value: String, to name: String) {
        let plain = name.hasSuffix("[]") ? String(name.dropLast(2)) : name
        values[plain, default: []].append(value)
    }

    private mutating func add(_ value: Value, to name: String, depth: Int) throws {
        guard depth < 4 else { throw Problem(.badRequest, "not-understood", "The JSON is nested too deeply") }
        switch value {
        case .null: break
        case .text(let text): add(text, to: name)
        case .list(let items): for item in items { try add(item, to: name, depth: depth + 1) }
        case .object(let members):
            for (key, member) in members { try add(member, to: "\(name)[\(key)]", depth: depth + 1) }
        }
    }

    /// Any JSON; numbers and truth as their text.
    private enum Value: Decodable {
        case null
        case text(String)
        case list([Value])
        case object([String: Value])

        init(from decoder: any Decoder) throws {
            let one = try decoder.singleValueContainer()
            if one.decodeNil() {
                self = .null
            } else if let truth = try? one.decode(Bool.self) {
                self = .text(truth ? "true" : "false")
            } else if let text = try? one.decode(String.self) {
                self = .text(text)
            } else if let whole = try? one.decode(Int64.self) {
                self = .text("\(whole)")
            } else if let number = try? one.decode(Double.self) {
                self = .text("\(number)")
            } else if let list = try? one.decode([Value].self) {
                self = .list(list)
            } else {
                self = .object(try one.decode([String: Value].self))
            }
        }
    }
}

extension Request {
    /// The fields of its body, whose type says how they are written. None when there is no body.
    ///
    /// - Throws: 400, 413, 415.
    package func fields(upTo most: Int = Form.mostBytes) async throws -> RequestFields {
        let bytes = try await body.collect(upTo: most).readableBytesView
        guard !bytes.isEmpty else { return RequestFields() }
        let type = (headers[.contentType] ?? "").lowercased().prefix { $0 != ";" && $0 != " " }
        switch type {
        case "application/json": return try RequestFields(json: bytes)
        case "application/x-www-form-urlencoded":
            return RequestFields(PercentEncoding.fields(of: String(decoding: bytes, as: UTF8.self)))
        default: throw Problem(.unsupportedMediaType, "media-type", "JSON or a form is expected here")
        }
    }
}
