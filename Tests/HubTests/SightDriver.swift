import Foundation
import HTTPTypes
import Hummingbird
import Testing

/// Asks for each thing of a table, by each of its addresses, as each role, and compares what is shown with what is declared.
struct SightDriver<Responder: HTTPResponder>
where Responder.Context: InitializableFromSource<ApplicationRequestContextSource> {
    typealias Role = SightTable.Role

    let client: RouterClient<Responder>
    let table: SightTable
    /// Of each thing, by its name: what stands for the names in braces.
    let facts: [String: [String: String]]
    /// What browsers send: of each role, or of a thing's author.
    let cookie: (SightTable.Thing, Role) -> String?
    /// The secret of each role's own feed.
    var feeds: [Role: String] = [:]
    private(set) var requests = 0

    init(
        _ client: RouterClient<Responder>, _ table: SightTable, facts: [String: [String: String]],
        feeds: [Role: String] = [:], cookie: @escaping (SightTable.Thing, Role) -> String?
    ) {
        (self.client, self.table, self.facts, self.feeds, self.cookie) = (client, table, facts, feeds, cookie)
    }

    /// - Parameter board: of the items; nil: of other things.
    /// - Returns: the number of cells.
    mutating func drive(board: String? = nil) async throws -> Int {
        var cells = 0
        for thing in table.things {
            for representation in table.representations {
                guard representation.board == nil || representation.board == board else { continue }
                for role in table.roles {
                    try await drive(thing, representation, role, board)
                    cells += 1
                }
            }
        }
        return cells
    }

    private mutating func drive(
        _ thing: SightTable.Thing, _ representation: SightTable.Representation, _ role: Role, _ board: String?
    ) async throws {
        var facts = try #require(self.facts[thing.name])
        facts["board"] = board
        facts["feed"] = feeds[role] ?? String(repeating: "a", count: 43)
        var headers: HTTPFields = [:]
        headers[.cookie] = cookie(thing, role)
        let path = Self.fill(representation.address, facts)
        let answer = try await ask(path, headers)
        let isShown = try shows(answer, representation.evidence, facts)
        let cell = "\(thing.name), \(representation.name), \(role.rawValue): \(path) answers \(answer.status.code)"
        #expect(isShown == table.shows(thing, representation, to: role), "\(cell)")
        #expect(answer.status.code < 500, "\(cell)")
        guard !isShown, table.names.contains(where: { representation.address.contains("{\($0)}") }) else { return }
        try await compare(answer, path, headers, thing, representation, facts, cell)
    }

    /// What is not shown is answered as what never was, whatever a request says that it has already.
    private mutating func compare(
        _ answer: TestResponse, _ path: String, _ headers: HTTPFields, _ thing: SightTable.Thing,
        _ representation: SightTable.Representation, _ facts: [String: String], _ cell: String
    ) async throws {
        // An address with the author's name leads to a list, which may be empty.
        guard table.names.contains("author") || !representation.address.contains("{author}") else { return }
        for further in [[.ifNoneMatch: "*"], [.ifModifiedSince: "Fri, 15 Jan 2038 08:00:00 GMT"]] as [HTTPFields] {
            let again = try await ask(path, headers.merging(further))
            #expect(again.status == answer.status, "\(cell), conditionally")
        }
        let head = try await ask(path, headers, .head)
        #expect(head.status == answer.status, "\(cell), to HEAD")
        if thing.isGone, representation.saysGone, answer.status == .gone { return }
        let nothing = facts.merging(SightScene.nothing.filter { table.names.contains($0.key) }) { $1 }
        let other = try await ask(Self.fill(representation.address, nothing), headers)
        #expect(answer.status == other.status, "\(cell), nothing \(other.status.code)")
        var text = Self.tokenless(answer)
        for name in table.names {
            if let own = facts[name], let its = nothing[name], own.count > 3 { text = text.replacing(own, with: its) }
        }
        #expect(text == Self.tokenless(other), "\(cell)")
        #expect(answer.headers[.eTag] == nil || answer.status == .ok, "\(cell)")
    }

    private func shows(
        _ answer: TestResponse, _ evidence: SightTable.Evidence, _ facts: [String: String]
    ) throws -> Bool {
        let (word, id) = (try #require(facts["word"]), facts["clip"] ?? facts["item"] ?? "")
        guard answer.status == .ok else {
            #expect(!answer.text.contains(word), "a refusal tells it")
            return false
        }
        return switch evidence {
        case .status: true
        case .words: answer.text.contains(word)
        case .id: answer.text.contains(id)
        }
    }

    private mutating func ask(
        _ path: String, _ headers: HTTPFields, _ method: HTTPRequest.Method = .get
    ) async throws -> TestResponse {
        requests += 1
        return try await client.execute(uri: path, method: method, headers: headers)
    }

    /// Pages with forms have another token each time.
    private static func tokenless(_ answer: TestResponse) -> String {
        answer.text.replacing(#/name="token" value="[^"]*"/#, with: "")
    }

    private static func fill(_ address: String, _ facts: [String: String]) -> String {
        facts.reduce(address) { $0.replacing("{\($1.key)}", with: $1.value) }
    }
}
