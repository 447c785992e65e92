import ChirpAccounts
import ChirpCommands
import ChirpCommunity
import ChirpCore

/// Whether listening, public address and the web server in front go together. Looks at the settings alone and connects to nothing.
struct HubReachCheck {
    let address: HubAddress
    let registration: Registration
    let proxies: TrustedProxies
    /// The hub speaks TLS itself.
    var hasCertificate = false
    /// It is to speak with other servers.
    var federates = false

    private var isSecure: Bool { address.publicURL.hasPrefix("https:") }

    /// Nothing for a hub that only its own machine reaches.
    var findings: [Finding] {
        guard address.proxyIsLocal || !address.isLoopback || registration != .closed || isSecure || federates
        else { return [] }
        let all = [clear, aroundProxy, unknownVisitors, proxiesForNobody, unreachable].compactMap { $0 }
        return all.isEmpty ? [.ok("hub address", address.publicURL)] : all
    }

    /// Passwords that anybody on the way can read.
    private var clear: Finding? {
        guard !isSecure, address.proxyIsLocal || !address.isLoopback else { return nil }
        let (text, cure) = (
            "passwords and sessions can be read on the way to \(address.publicURL)",
            "Let a web server or the hub have a certificate, and set hub.publicURL to https://..."
        )
        return registration == .closed
            ? .note("hub address", text, cure: cure) : .problem("hub address", text, cure: cure)
    }

    /// Other servers that cannot come.
    private var unreachable: Finding? {
        guard federates, !isSecure else { return nil }
        return .problem(
            "other servers", "none is spoken with: \(address.publicURL) is no https address",
            cure: "Set hub.publicURL to the https address of the hub, or hub.federation to off")
    }

    /// A port that leads around the web server, where the certificate is and limits are.
    private var aroundProxy: Finding? {
        guard isSecure, !hasCertificate, !address.isLoopback, proxies == .none else { return nil }
        return .problem(
            "hub address",
            "others reach port \(address.port) without TLS, around the web server of \(address.publicURL)",
            cure: "Set hub.bind to 127.0.0.1, or hub.trustedProxies when that server is another machine")
    }

    /// Limits that count all visitors as one.
    private var unknownVisitors: Finding? {
        guard address.isLoopback, address.proxyIsLocal, !hasCertificate,
            !proxies.contains(address.bind == "localhost" ? "127.0.0.1" : address.bind)
        else { return nil }
        return .note(
            "proxy", "all visitors have the web server's address, and share its limits of sign-ins",
            cure: "Let it send X-Forwarded-For, and set hub.trustedProxies to 127.0.0.1, ::1")
    }

    /// Whose word counts although nobody needs to stand in front.
    private var proxiesForNobody: Finding? {
        guard hasCertificate, proxies != .none else { return nil }
        return .note(
            "proxy", "the hub has a certificate of its own, and trusts what \(proxies.configText) says of visitors",
            cure: "Without a proxy in front, set hub.trustedProxies to none")
    }
}
