import ChirpCore
import ChirpHub
import ChirpTestKit
import ChirpWeb
import Foundation
import HubHousehold
import Testing

/// The hub's own TLS: certificate and key from files that are renewed while it runs.
@Suite struct TLSTests {
    private static let url = "https://hub.example"
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var files: TLSFiles { TLSFiles(certificate: folder.path("hub.pem"), key: folder.path("hub.key")) }

    /// Makes a certificate that vouches for itself, and puts it and its key where the hub looks.
    ///
    /// - Returns: where a copy of the certificate lies.
    private func renew(_ name: String) async throws -> String {
        let (certificate, key) = (folder.path("\(name).pem"), folder.path("\(name).key"))
        let result = try await offPool {
            try ExternalProgram("openssl").run([
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                "-subj", "/CN=\(name)", "-addext", "subjectAltName=DNS:hub.example", "-keyout", key, "-out",
                certificate,
            ])
        }
        #expect(result.status == 0)
        try put(certificate, at: files.certificate)
        try put(key, at: files.key)
        return certificate
    }

    /// Puts a copy in a file's place, as renewing programs do.
    private func put(_ source: String, at path: String) throws {
        try Data(contentsOf: URL(filePath: source)).write(to: URL(filePath: path), options: .atomic)
    }

    private func ask(_ port: Int, trusting certificate: String, _ more: [String] = []) async throws -> String {
        try await curl(
            [
                "--cacert", certificate, "--resolve", "hub.example:\(port):127.0.0.1", "--output", "/dev/null",
                "--write-out", "%{http_code} %{http_version}",
            ] + more + ["https://hub.example:\(port)/"]
        ).text
    }

    @Test func `pages come by HTTP 2 and 1`() async throws {
        let house = try HubHousehold()
        let certificate = try await renew("first")
        try await withLiveHub(house, publicURL: Self.url, tls: files) { port in
            #expect(try await ask(port, trusting: certificate, ["--http2"]) == "200 2")
            #expect(try await ask(port, trusting: certificate, ["--http1.1"]) == "200 1.1")
            // Both take as many fields of a request.
            let fields = (0..<101).flatMap { ["--header", "X-\($0): 1"] }
            for (version, expected) in [("--http2", "431 2"), ("--http1.1", "431 1.1")] {
                #expect(try await ask(port, trusting: certificate, [version] + fields) == expected)
            }
            // A body that nobody reads ends its stream, not the connection's order.
            let refused = try await ask(port, trusting: certificate, ["--http2", "--data", "hello"])
            #expect(refused.hasPrefix("405") || refused.hasPrefix("413"), "\(refused)")
        }
    }

    @Test func `a renewed certificate counts at once, a broken one never`() async throws {
        let house = try HubHousehold()
        let first = try await renew("first")
        try await withLiveHub(house, publicURL: Self.url, tls: files) { port in
            #expect(try await ask(port, trusting: first) == "200 2")
            let second = try await renew("second")
            #expect(try await ask(port, trusting: second) == "200 2")
            #expect(try await ask(port, trusting: first).hasPrefix("000"))

            try Data("no key".utf8).write(to: URL(filePath: files.key), options: .atomic)
            #expect(try await ask(port, trusting: second) == "200 2")
            // A key of another certificate.
            try put(folder.path("first.key"), at: files.key)
            #expect(try await ask(port, trusting: second) == "200 2")
            try put(folder.path("first.pem"), at: files.certificate)
            #expect(try await ask(port, trusting: first) == "200 2")
        }
    }

    @Test func `events come over TLS, by either protocol`() async throws {
        let house = try HubHousehold()
        for number in 1...250 { try await house.post("\(number)") }
        let certificate = try await renew("first")
        try await withLiveHub(house, publicURL: Self.url, tls: files) { port in
            for version in ["--http2", "--http1.1"] {
                let answer = try await curl([
                    version, "--cacert", certificate, "--resolve", "hub.example:\(port):127.0.0.1", "--max-time", "5",
                    "https://hub.example:\(port)/api/v1/events?after=0",
                ]).text
                let ids = answer.split(separator: "\n").filter { $0.hasPrefix("id: ") }.map { String($0.dropFirst(4)) }
                #expect(ids == (0...250).map(String.init), "\(version)")
            }
        }
    }

    @Test func `without a usable certificate, or with links that begin with http, nothing is served`() async throws {
        let house = try HubHousehold()
        await #expect(throws: HubError.self) {
            try await withLiveHub(house, publicURL: Self.url, tls: files) { _ in }
        }
        _ = try await renew("first")
        await #expect(throws: HubError.secureAddressNeeded(publicURL: HubHousehold.publicURL.plain)) {
            try await withLiveHub(house, publicURL: HubHousehold.publicURL.plain, tls: files) { _ in }
        }
    }
}

extension String {
    fileprivate var plain: String { "http" + dropFirst("https".count) }
}
