import Foundation
import Glibc
import Testing

/// Somebody who uses a served hub as a browser without script does, by curl: keeps cookies, sends forms with what their pages hold.
struct HubBrowser {
    private let home: Household
    private let base: String
    private let jar: String

    /// - Parameters:
    ///   - port: of the hub on this machine.
    ///   - jar: the file for cookies, in the household's working folder; two browsers with one are the same one.
    init(_ home: Household, port: Int, jar: String) {
        self.home = home
        self.jar = jar
        base = "http://127.0.0.1:\(port)"
    }

    /// What a page answers: its status, and its text.
    func get(_ path: String, _ options: String = "") async throws -> (status: Int, text: String) {
        try await ask("\(options) '\(base)\(path)'")
    }

    /// Opens a page and sends its form.
    func submit(
        _ page: String, to action: String? = nil, _ fields: [(name: String, value: String)] = [], options: String = ""
    ) async throws -> (status: Int, text: String) {
        let hidden = try await get(page).text.matches(
            of: #/<input type="hidden" name="([^"]*)" value="([^"]*)">/#
        ).map { (name: String($0.1), value: String($0.2)) }
        return try await post(action ?? String(page.prefix { $0 != "?" }), hidden + fields, options: options)
    }

    /// Sends fields as a form does, without opening a page before.
    func post(
        _ path: String, _ fields: [(name: String, value: String)], options: String = ""
    ) async throws -> (status: Int, text: String) {
        let data = fields.map { "--data-urlencode '\($0.name)=\($0.value)'" }.joined(separator: " ")
        return try await ask("\(options) \(data) '\(base)\(path)'")
    }

    /// The values of the cookies that are kept; the seventh column of curl's file.
    func cookies() throws -> [String] {
        try String(contentsOfFile: home.path(jar), encoding: .utf8).split(separator: "\n").compactMap { line in
            let columns = line.split(separator: "\t", omittingEmptySubsequences: false)
            return columns.count == 7 ? String(columns[6]) : nil
        }
    }

    private func ask(_ words: String) async throws -> (status: Int, text: String) {
        let outcome = try await home.shell(
            "curl --silent --max-time 180 --cookie \(jar) --cookie-jar \(jar) --write-out '\\n%{http_code}' \(words)")
        #expect(outcome.status == 0, "\(outcome.errors)")
        let parts = outcome.text.split(separator: "\n", omittingEmptySubsequences: false)
        return (Int(parts.last ?? "") ?? 0, parts.dropLast().joined(separator: "\n"))
    }
}

extension Household {
    /// Runs a server for the time of a closure.
    ///
    /// - Returns: what it printed on standard output and error.
    @discardableResult
    func serving(
        _ arguments: [String] = [], environment: [String: String] = [:], _ body: (_ port: Int) async throws -> Void
    ) async throws -> String {
        let (running, port) = try await served(arguments, environment: environment)
        do {
            try await body(port)
        } catch {
            running.send(SIGKILL)
            _ = try await running.outcome()
            throw error
        }
        running.send(SIGTERM)
        let outcome = try await running.outcome()
        #expect(outcome.status == 130, "\(outcome.errors)")
        return outcome.text + outcome.errors
    }

    /// Starts a server, which answers when this returns.
    func served(
        _ arguments: [String] = [], environment: [String: String] = [:]
    ) async throws -> (running: Running, port: Int) {
        let running = try start(["serve", "--port", "0", "--json"] + arguments, environment: environment)
        await eventually { running.outputSoFar.hasSuffix("\n") }
        let answer = try JSONSerialization.jsonObject(with: Data(running.outputSoFar.utf8)) as? [String: Any]
        return (running, try #require(answer?["port"] as? Int))
    }

    /// A link that signs the owner in, as a path.
    func ownerPath(_ environment: [String: String] = [:]) async throws -> String {
        let url = try #require(
            try await run("hub", "open", "--json", environment: environment).json()["url"] as? String)
        return String(url[try #require(url.firstRange(of: "/signin/owner")).lowerBound...])
    }
}
