internal import ChirpCore
internal import FoundationEssentials
internal import Glibc
internal import NIOCore
package import NIOSSL
internal import Synchronization

/// Certificate and key of this server, from two files that others renew.
///
/// The files are looked at when a connection begins. What is new counts when it can be read and the key belongs to the certificate;
/// otherwise what was there before goes on counting, and that is told once.
package final class ServerCertificate: Sendable {
    /// What cannot be used.
    package struct Failure: Error, Hashable {
        /// In words, without anything of the key.
        package let reason: String
    }

    private struct Pair: Sendable {
        var chain: [NIOSSLCertificateSource]
        var key: NIOSSLPrivateKeySource
    }

    /// By which a file is known to be another one.
    private struct Stamp: Hashable, Sendable {
        var seconds = 0
        var nanoseconds = 0
        var inode: UInt64 = 0
        var bytes: Int64 = 0
    }

    private struct State: Sendable {
        var pair: Pair
        var stamps: [Stamp]
    }

    private let certificate: String
    private let key: String
    private let onFailure: @Sendable (Failure) -> Void
    private let state: Mutex<State>

    /// - Parameters:
    ///   - certificate: PEM, the server's own first, then those between it and the authority.
    ///   - key: PEM, without a passphrase.
    ///   - onFailure: hears of new files that cannot be used, once for each change.
    package init(
        certificate: String, key: String, onFailure: @escaping @Sendable (Failure) -> Void
    ) throws(Failure) {
        self.certificate = certificate
        self.key = key
        self.onFailure = onFailure
        let stamps = [certificate, key].map(Self.stamp)
        state = Mutex(State(pair: try Self.read(certificate, key), stamps: stamps))
    }

    /// TLS 1.2 or later, with whatever the files hold when a connection begins.
    package var configuration: TLSConfiguration {
        let pair = state.withLock { $0.pair }
        var configuration = TLSConfiguration.makeServerConfiguration(certificateChain: pair.chain, privateKey: pair.key)
        configuration.minimumTLSVersion = .tlsv12
        configuration.sslContextCallback = { [self] _, promise in
            if let pair = unchanged() { return promise.succeed(Self.use(pair)) }
            // What goes wrong while files are read stays behind in the thread's list of errors, and the handshake that goes on there
            // would take it for its own.
            promise.completeWithTask { await Self.use(offPool { self.renewed() }) }
        }
        return configuration
    }

    private static func use(_ pair: Pair) -> NIOSSLContextConfigurationOverride {
        var change = NIOSSLContextConfigurationOverride()
        change.certificateChain = pair.chain
        change.privateKey = pair.key
        return change
    }

    /// Nil when the files are others than before.
    private func unchanged() -> Pair? {
        let stamps = [certificate, key].map(Self.stamp)
        return state.withLock { $0.stamps == stamps ? $0.pair : nil }
    }

    private func renewed() -> Pair {
        let stamps = [certificate, key].map(Self.stamp)
        let (pair, failure) = state.withLock { state -> (Pair, Failure?) in
            guard stamps != state.stamps else { return (state.pair, nil) }
            state.stamps = stamps
            do throws(Failure) {
                state.pair = try Self.read(certificate, key)
                return (state.pair, nil)
            } catch {
                return (state.pair, error)
            }
        }
        if let failure { onFailure(failure) }
        return pair
    }

    private static func read(_ certificate: String, _ key: String) throws(Failure) -> Pair {
        let chain: [NIOSSLCertificate]
        do { chain = try NIOSSLCertificate.fromPEMFile(certificate) } catch {
            throw Failure(reason: "the certificate cannot be read")
        }
        guard !chain.isEmpty else { throw Failure(reason: "the certificate's file holds none") }
        let found: NIOSSLPrivateKey
        do { found = try NIOSSLPrivateKey(file: key, format: .pem) } catch {
            throw Failure(reason: "the key cannot be read")
        }
        let pair = Pair(chain: chain.map { .certificate($0) }, key: .privateKey(found))
        // The library compares the two.
        let trial = TLSConfiguration.makeServerConfiguration(certificateChain: pair.chain, privateKey: pair.key)
        do { _ = try NIOSSLContext(configuration: trial) } catch {
            throw Failure(reason: "the key does not belong to the certificate")
        }
        return pair
    }

    private static func stamp(_ path: String) -> Stamp {
        var facts = stat()
        guard stat(path, &facts) == 0 else { return Stamp() }
        return Stamp(
            seconds: facts.st_mtim.tv_sec, nanoseconds: facts.st_mtim.tv_nsec, inode: UInt64(facts.st_ino),
            bytes: Int64(facts.st_size))
    }
}
