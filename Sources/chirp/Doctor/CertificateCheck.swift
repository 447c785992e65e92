import ChirpCommands
import ChirpCore
import ChirpHTTP
import ChirpHub
import FoundationEssentials
import Glibc

/// Whether browsers will take the hub's certificate, and for how long.
enum CertificateCheck {
    /// Authorities renew 30 days before the end; fewer days than that halved mean that nobody has.
    private static let fewDays = 14

    /// - Parameter publicURL: what visitors type.
    static func findings(_ files: TLSFiles, publicURL: String, now: Date = Date()) -> [Finding] {
        var findings: [Finding] = []
        var facts = stat()
        if stat(files.key, &facts) == 0, facts.st_mode & 0o007 != 0 {
            findings.append(
                .problem(
                    "certificate key", "everybody on this machine has rights on \(PlainText(files.key, limit: 200))",
                    cure: "Run: chmod 600 '\(PlainText(files.key, limit: 200))'"))
        }
        do throws(HubError) {
            let certificate = try HubCertificate(files)
            findings.append(finding(certificate, host: WebAddress(publicURL)?.host ?? "", now))
        } catch {
            findings.append(.problem("certificate", error.whatHappened, cure: error.whatToDo))
        }
        return findings
    }

    private static func finding(_ certificate: HubCertificate, host: String, _ now: Date) -> Finding {
        let renew = "Renew it, for example with: certbot renew"
        let days = Int((certificate.validity.upperBound.timeIntervalSince(now) / 86_400).rounded(.down))
        guard now >= certificate.validity.lowerBound else {
            return .problem("certificate", "it begins to count in the future", cure: "Check the clock, or \(renew)")
        }
        guard days >= 0 else {
            return .problem("certificate", "it ended \(Figures.count(-days, "day")) ago", cure: renew)
        }
        guard certificate.isFor(host) else {
            let names = certificate.names.prefix(5).map { PlainText($0, limit: 100).value }.joined(separator: ", ")
            return .problem(
                "certificate", "it is for \(names.isEmpty ? "no name" : names), not for \(host)",
                cure: "Get one for \(host), or set hub.publicURL to a name that it is for")
        }
        let text = "for \(host), \(Figures.count(days, "day")) left"
        return days < fewDays ? .problem("certificate", text, cure: renew) : .ok("certificate", text)
    }
}
