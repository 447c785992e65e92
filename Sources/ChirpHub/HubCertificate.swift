internal import ChirpWeb
public import FoundationEssentials
internal import NIOSSL

/// What a hub's certificate says, for those who look whether it will do.
public struct HubCertificate: Sendable {
    /// The names of servers it is for, in lower case; `*.example.org` stands for one label.
    public let names: [String]
    /// When it begins to count, and when it ends.
    public let validity: ClosedRange<Date>

    /// Reads it as the server would, and compares it with its key.
    ///
    /// - Throws: ``HubError/unusableCertificate(reason:)``.
    public init(_ files: TLSFiles) throws(HubError) {
        do throws(ServerCertificate.Failure) {
            _ = try ServerCertificate(certificate: files.certificate, key: files.key, onFailure: { _ in })
        } catch {
            throw .unusableCertificate(reason: error.reason)
        }
        guard let own = try? NIOSSLCertificate.fromPEMFile(files.certificate).first else {
            throw .unusableCertificate(reason: "the certificate cannot be read")
        }
        names = own._subjectAlternativeNames().filter { $0.nameType == .dnsName }.map { name in
            name.contents.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self).lowercased() }
        }
        let begin = Date(timeIntervalSince1970: Double(own.notValidBefore))
        let end = Date(timeIntervalSince1970: Double(own.notValidAfter))
        validity = min(begin, end)...max(begin, end)
    }

    /// Whether browsers take it for a server of this name (RFC 6125, section 6.4).
    public func isFor(_ host: String) -> Bool {
        let host = host.lowercased()
        let parent = host.split(separator: ".", maxSplits: 1).dropFirst().first
        return names.contains { $0 == host || $0.hasPrefix("*.") && $0.dropFirst(2) == parent }
    }
}
