public import ChirpCore
public import ChirpHTTP
public import ChirpStores
public import Foundation
import Glibc

/// An S3 service that was not written here, on 127.0.0.1 in a folder of its own: SeaweedFS, or `rclone serve s3`. Scripts/s3-servers
/// installs both.
///
/// Both check the signature of every request and `Content-MD5`; neither compares what it gets with the content's signed SHA-256.
/// SeaweedFS also knows `If-None-Match`, and takes no parts below 5 MiB but the last.
public final class RealS3: Sendable {
    public enum Kind: String, CaseIterable, Sendable {
        case seaweedfs, rclone
    }

    public struct Failure: Error, CustomStringConvertible { public let description: String }

    public static let accessKeyID = "AKIDOFCHIRPSTESTS"
    public static let secretKey = "a/secret+key=of the tests"
    public static let bucket = "clips-of-chirp"

    private let kind: Kind
    private let folder: TemporaryFolder
    private let process: StartedProgram
    private let ports: [ReservedPort]

    public init(_ kind: Kind) throws {
        self.kind = kind
        folder = try TemporaryFolder()
        // Of SeaweedFS every part listens at two ports.
        ports = try (0..<(kind == .rclone ? 1 : 8)).map { _ in try ReservedPort() }
        let files = folder.path("files")
        try FileManager.default.createDirectory(atPath: "\(files)/\(Self.bucket)", withIntermediateDirectories: true)
        let words: [String]
        switch kind {
        case .rclone:
            words = [
                "\(Self.programs)/rclone", "serve", "s3", files, "--addr", "127.0.0.1:\(ports[0].number)", "--auth-key",
                "\(Self.accessKeyID),\(Self.secretKey)", "--config", folder.path("rclone.conf"), "--cache-dir",
                folder.path("cache"),
            ]
        case .seaweedfs:
            let keys = [["accessKey": Self.accessKeyID, "secretKey": Self.secretKey]]
            let identity: [String: Any] = ["name": "tests", "credentials": keys, "actions": ["Admin"]]
            try JSONSerialization.data(withJSONObject: ["identities": [identity]])
                .write(to: URL(filePath: folder.path("keys.json")))
            let numbers = ports.map(\.number)
            let parts = ["s3", "master", "volume", "filer"].enumerated().flatMap { index, part in
                ["-\(part).port=\(numbers[2 * index])", "-\(part).port.grpc=\(numbers[2 * index + 1])"]
            }
            words =
                [
                    "\(Self.programs)/weed", "-logtostderr=true", "server", "-dir=\(files)", "-ip=127.0.0.1",
                    "-ip.bind=127.0.0.1", "-master.telemetry=false", "-master.volumeSizeLimitMB=64", "-volume.max=100",
                    "-filer", "-s3", "-s3.domainName=localhost", "-s3.iam=false", "-s3.port.iceberg=0",
                    "-s3.port.lance=0",
                    "-s3.config=\(folder.path("keys.json"))", "-s3.localSocket=\(folder.path("s3.sock"))",
                    "-filer.localSocket=\(folder.path("filer.sock"))",
                ] + parts
        }
        let log = folder.path("log")
        process = try StartedProgram(
            words, environment: ["PATH": "/usr/bin:/bin", "HOME": folder.path("")], folder: folder.path(""),
            output: log,
            errors: log)
    }

    deinit {
        process.send(SIGKILL)
        process.wait()
    }

    /// A server that answers, with its bucket.
    public static func started(_ kind: Kind) async throws -> RealS3 {
        let server = try RealS3(kind)
        guard let bucket = WebAddress("\(server.root)/\(Self.bucket)") else { throw Failure(description: "no address") }
        // Until it is there, and then until all its parts know one another.
        for _ in 0..<600 where server.process.isRunning {
            let made = try? await server.transport.send(HTTPRequest(.put, bucket))
            if let made, made.isSuccess || made.status == 409 { return server }
            _ = await offPool { poll(nil, 0, 50) }
        }
        let log = (try? String(contentsOfFile: server.folder.path("log"), encoding: .utf8)) ?? ""
        throw Failure(description: "the server does not answer: \(log.suffix(2000))")
    }

    public var port: UInt16 { ports[0].number }
    public var root: String { "http://127.0.0.1:\(port)" }

    private var transport: any HTTPTransport { Self.signing(CurlTransport()) }

    private static func signing(_ base: any HTTPTransport) -> any HTTPTransport {
        // The keys above are some.
        guard let keys = S3Keys(accessKeyID: accessKeyID, secret: Secret(secretKey)) else { return base }
        return S3Transport(base, signature: AWSSignature(keys: keys, region: "us-east-1"), now: { Date() })
    }

    /// A store in a folder of the bucket.
    ///
    /// - Parameters:
    ///   - root: where it asks; nil for the server itself.
    ///   - partBytes: nil for the usual size of parts.
    public func store(
        folder: String, at root: String? = nil, secret: String = secretKey, limit: ByteCount? = nil,
        linkBase: String? = "https://clips.example", partBytes: Int64? = nil,
        transport: any HTTPTransport = CurlTransport(), now: @escaping @Sendable () -> Date = { Date() }
    ) throws -> S3Store {
        guard let endpoint = WebAddress(root ?? self.root),
            let keys = S3Keys(accessKeyID: Self.accessKeyID, secret: Secret(secret))
        else { throw Failure(description: "no address") }
        var settings = try S3Store.Settings(
            endpoint: endpoint, bucket: Self.bucket, folder: folder, linkBase: linkBase, limit: limit)
        if let partBytes { settings.partBytes = partBytes }
        return S3Store(settings, keys: keys, transport: transport, now: now)
    }

    /// The names of all objects in a folder of the bucket, as the server lists them.
    public func names(in folder: String) async throws -> [String] {
        try await list(["list-type": "2", "prefix": "\(folder)/"], "Contents")
    }

    /// The names of what has been begun and not completed, as the server lists them.
    public func begun(in folder: String) async throws -> [String] {
        try await list(["uploads": "", "prefix": "\(folder)/"], "Upload")
    }

    private func list(_ query: KeyValuePairs<String, String>, _ element: String) async throws -> [String] {
        guard let bucket = WebAddress("\(root)/\(Self.bucket)") else { throw Failure(description: "no address") }
        let response = try await transport.send(HTTPRequest(.get, bucket.adding(query)))
        // rclone answers so when there are none.
        if response.status == 404 { return [] }
        guard response.isSuccess, let page = S3Answer(response.body) else {
            throw Failure(description: "\(response.status): \(response.text)")
        }
        return page.elements.filter { $0.name == element }.compactMap { $0["Key"] }.sorted()
    }

    /// Where Scripts/s3-servers puts them.
    private static let programs =
        ProcessInfo.processInfo.environment["CHIRP_S3_SERVERS"] ?? "\(BuiltProgram.package)/.build/s3-servers/bin"
}
