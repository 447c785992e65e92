public import ChirpCore

/// What can go wrong between a fleet's queue and those who use it.
public enum FleetError: Explained, Hashable {
    /// The client library is not installed.
    case libraryMissing(String)
    /// An address that is none.
    case badAddress(String, reason: String)
    /// A root that is none.
    case badRoot(String, reason: String)
    /// A root on a WebDAV server that does not answer as it should.
    case rootUnusable(String, reason: String, exit: ExitCode)
    /// The file with the credentials cannot be used; never says what is in it.
    case badCredentials(path: String, reason: String)
    /// A password would go to another machine without TLS.
    case clearPassword(server: String)
    /// A worker cannot make a folder of its own.
    case noScratch(path: String, reason: String)
    /// No server answers.
    case unreachable(servers: String, reason: String)
    /// The servers do not let this user in.
    case signedOut(servers: String)
    /// The servers answer, but their queue does not, or not in time.
    case noQueue(String)
    /// The queue has refused what was asked.
    case refused(code: Int, reason: String)
    /// Streams of these names exist, but are no queue of a fleet.
    case foreignStream(name: String, reason: String)
    /// More than a message may hold.
    case tooLarge(bytes: Int, limit: Int)
    /// The client library reported something unexpected.
    case library(String)
    /// The address for figures cannot be listened on.
    case cannotListen(address: String, reason: String)
    case cancelled

    public var whatHappened: String {
        switch self {
        case .libraryMissing(let reason): "the client library for NATS is missing: \(reason)"
        case .badAddress(let text, let reason): "\(quoted(text)) is no address of a NATS server: \(reason)"
        case .badRoot(let text, let reason): "\(quoted(text)) is no root of a fleet: \(reason)"
        case .rootUnusable(let text, let reason, _): "the root \(quoted(text)) cannot be used: \(reason)"
        case .badCredentials(let path, let reason): "the credentials in \(quoted(path)) cannot be used: \(reason)"
        case .clearPassword(let server):
            "the password would go to \(quoted(server)) in clear, and everybody on the way could read it"
        case .noScratch(let path, let reason): "cannot make a temporary folder in \(quoted(path)): \(reason)"
        case .unreachable(let servers, let reason):
            "the fleet's servers \(quoted(servers)) cannot be reached: \(PlainText(reason, limit: 200))"
        case .signedOut(let servers): "the fleet's servers \(quoted(servers)) do not let this user in"
        case .noQueue(let reason): "the fleet's queue does not answer: \(PlainText(reason, limit: 200))"
        case .refused(let code, let reason): "the fleet's queue refused (\(code)): \(PlainText(reason, limit: 200))"
        case .foreignStream(let name, let reason): "the stream \(quoted(name)) is no queue of a fleet: \(reason)"
        case .tooLarge(let bytes, let limit):
            "a message of \(ByteCount(bytes)) is larger than the servers' limit of \(ByteCount(limit))"
        case .library(let reason): "the client library for NATS failed: \(PlainText(reason, limit: 200))"
        case .cannotListen(let address, let reason): "cannot listen on \(quoted(address)): \(reason)"
        case .cancelled: "interrupted"
        }
    }

    public var cure: Cure {
        switch self {
        case .libraryMissing: .install(package: "libnats3.4")
        case .badAddress: .advice("Write it like nats://queue.example.org:4222, several with commas between")
        case .badRoot:
            .advice(
                "Write it like NAME=/path, with a folder that is there; for a worker also NAME=https://..., a WebDAV collection"
            )
        case .rootUnusable: .set(.collection)
        case .badCredentials:
            .both(
                .set(.fleetCredentials),
                .advice("It is a file for its owner alone (mode 600), from nsc or one line user:password"))
        case .clearPassword: .set(.fleetEncryption)
        case .noScratch: .set(.temporaryFolder)
        case .unreachable:
            .advice("Check the address, and that nats-server runs there with JetStream (nats-server -js)")
        case .signedOut: .set(.fleetCredentials)
        case .noQueue:
            .advice("Check that JetStream is on and that more than half of its servers are up, then run it again")
        case .refused: .advice("Check the servers' limits (max_payload, max_file_store) and permissions")
        case .foreignStream: .advice("Remove the stream, or use another account of the servers")
        case .tooLarge: .set(.fleetRoot)
        case .library: .advice("Please report this with the version of libnats")
        case .cannotListen: .set(.metricsAddress)
        case .cancelled: .none
        }
    }

    public var exitCode: ExitCode {
        switch self {
        case .libraryMissing, .library: .unexpected
        case .badAddress, .badRoot: .usage
        case .rootUnusable(_, _, let exit): exit
        case .badCredentials, .clearPassword, .foreignStream, .tooLarge: .badConfiguration
        case .unreachable, .noQueue: .temporary
        case .refused: .refused
        case .signedOut: .signInNeeded
        case .cannotListen: .inputOutput
        case .noScratch: .cannotCreateOutput
        case .cancelled: .interrupted
        }
    }

    private func quoted(_ text: String) -> String { "'\(PlainText(AddressText.masked(text), limit: 200))'" }
}
