import ChirpCore
public import ChirpHTTP
public import ChirpStores
import Crypto
import Foundation
import Glibc

/// A WebDAV server that was not written here, on 127.0.0.1 in a folder of its own: `rclone serve webdav`, or Apache's mod_dav.
public final class RealWebDAV: Sendable {
    public enum Kind: String, CaseIterable, Sendable {
        case rclone, apache
    }

    public struct Failure: Error, CustomStringConvertible { public let description: String }

    private static let environment = [
        "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/nonexistent",
    ]
    public static let (user, password) = ("chirp", "a pass:word")

    private let folder: TemporaryFolder
    private let process: StartedProgram
    private let port: ReservedPort
    /// What the server shows under ``root``.
    public let files: String

    public init(_ kind: Kind) throws {
        folder = try TemporaryFolder()
        files = folder.path("files")
        try FileManager.default.createDirectory(atPath: files, withIntermediateDirectories: true)
        port = try ReservedPort()
        let log = folder.path("log")
        switch kind {
        case .rclone:
            let words = [
                "rclone", "serve", "webdav", files, "--addr", "127.0.0.1:\(port.number)", "--user", Self.user, "--pass",
                Self.password, "--config", folder.path("rclone.conf"), "--cache-dir", folder.path("cache"),
            ]
            process = try StartedProgram(words, environment: Self.environment, output: log, errors: log)
        case .apache:
            try Self.configure(folder, files: files, port: port.number)
            // One process without children, in the foreground.
            process = try StartedProgram(
                ["apache2", "-X", "-f", folder.path("apache.conf")], environment: Self.environment, output: log,
                errors: log)
        }
        do { try waitUntilItAnswers() } catch {
            stop()
            throw error
        }
    }

    deinit { stop() }

    public var root: String { "http://127.0.0.1:\(port.number)" }

    /// Signs in.
    public func transport(password: String = password) -> any HTTPTransport {
        BasicTransport(CurlTransport(), user: Self.user, password: Secret(password))
    }

    /// A store in a folder of the server that does not exist yet.
    public func store(path: String = "clips/of chirp", password: String = password) throws -> WebDAVStore {
        guard let root = WebAddress(root) else { throw Failure(description: "no address") }
        let folder = path.split(separator: "/").reduce(root) { $0.appending(String($1)) }
        return WebDAVStore(
            WebDAVStore.Settings(folder: folder, linkBase: "https://clips.example"),
            transport: transport(password: password))
    }

    /// The names of all files on the server's disk.
    public func names() -> [String] {
        let found = FileManager.default.enumerator(atPath: files)?.compactMap { $0 as? String } ?? []
        return found.filter { !$0.hasPrefix(".DAV") && !$0.contains("/.DAV") && $0.contains(".mp3") }.sorted()
    }

    // MARK: the process

    private func stop() {
        // Not the polite way, which a server that was started by a test may never hear; there is nothing to save.
        process.send(SIGKILL)
        process.wait()
    }

    /// Tries to connect until it works; bounded, and over at once when the server has died.
    private func waitUntilItAnswers() throws {
        for _ in 0..<1000 {
            guard process.isRunning else { break }
            let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            defer { close(socket) }
            var address = Self.loopback(port.number)
            let result = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            if result == 0 { return }
            poll(nil, 0, 10)
        }
        let log = (try? String(contentsOfFile: folder.path("log"), encoding: .utf8)) ?? ""
        throw Failure(description: "the server does not answer: \(log)")
    }

    private static func loopback(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    private static func configure(_ folder: TemporaryFolder, files: String, port: UInt16) throws {
        let digest = Data(Insecure.SHA1.hash(data: Data(password.utf8))).base64EncodedString()
        try Data("\(user):{SHA}\(digest)\n".utf8).write(to: URL(filePath: folder.path("users")))
        // Started by root it works as another user.
        for name in ["", "files"] { chmod(folder.path(name), 0o777) }
        let modules = [
            "mpm_event", "authn_core", "authn_file", "authz_core", "authz_user", "auth_basic", "dav", "dav_fs",
        ]
        let lines =
            modules.map { "LoadModule \($0)_module /usr/lib/apache2/modules/mod_\($0).so" } + [
                "ServerName 127.0.0.1", "Listen 127.0.0.1:\(port)", "User www-data", "Group www-data",
                "PidFile \(folder.path("pid"))", "ErrorLog \(folder.path("log"))", "DavLockDB \(folder.path("locks"))",
                "Mutex file:\(folder.path("")) default", "DocumentRoot \(files)", "<Directory \(files)>", "Dav On",
                "AuthType Basic",
                "AuthName chirp", "AuthUserFile \(folder.path("users"))", "Require valid-user", "</Directory>", "",
            ]
        try Data(lines.joined(separator: "\n").utf8).write(to: URL(filePath: folder.path("apache.conf")))
    }
}
