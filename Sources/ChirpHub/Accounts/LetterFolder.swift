internal import ChirpAccounts
internal import ChirpCore
internal import ChirpFiles
internal import FoundationEssentials
internal import Glibc

/// Where a hub puts its letters when no mail server is configured: a folder, one `.eml` file a letter (RFC 5322), which another
/// program sends or a person reads.
struct LetterFolder: Sendable {
    /// Made for its owner alone.
    let path: String
    /// What links begin with. Never the name that a request was sent to, which anybody can choose.
    let publicURL: String
    let now: @Sendable () -> Date

    /// Writes a letter. Blocks.
    ///
    /// - Throws: ``AccountError/noSpace``, ``AccountError/inputOutput(reason:)``.
    func send(_ letter: AccountLetter) throws(AccountError) {
        let (to, subject, lines) = words(of: letter)
        let id = "\(RandomName(length: 20))"
        let text =
            ([
                "From: Chirp <chirp@\(host)>", "To: \(to)", "Subject: \(subject)", "Date: \(date)",
                "Message-ID: <\(id)@\(host)>", "Auto-Submitted: auto-generated", "MIME-Version: 1.0",
                "Content-Type: text/plain; charset=utf-8", "Content-Transfer-Encoding: 8bit", "",
            ] + lines).joined(separator: "\r\n") + "\r\n"
        do throws(FileError) {
            guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw FileError(path: path) }
            try AtomicFile.write(Array(text.utf8), to: "\(path)/\(id).eml", mode: 0o600)
        } catch {
            throw error.isFull ? .noSpace : .inputOutput(reason: error.description)
        }
    }

    private func words(of letter: AccountLetter) -> (to: MailAddress, subject: String, lines: [String]) {
        switch letter {
        case .confirm(let to, let link):
            (
                to, "Confirm your address",
                [
                    "Somebody, probably you, gave this address at \(publicURL).", "",
                    "To confirm that it is yours, open this page and press Confirm:", "",
                    pages.confirm(link), "",
                    "It works once, for 30 minutes. If it was not you, do nothing.",
                ]
            )
        case .alreadyHere(let to):
            (
                to, "You have an account already",
                [
                    "Somebody, probably you, tried to sign up with this address at \(publicURL).", "",
                    "It has an account already. To set a new password, open \(pages.reset)", "",
                    "If it was not you, do nothing.",
                ]
            )
        case .reset(let to, let link):
            (
                to, "Set a new password",
                [
                    "Somebody, probably you, asked for a new password at \(publicURL).", "",
                    "To set it, open this page:", "", pages.reset(link), "",
                    "It works once, for 30 minutes. If it was not you, do nothing: nobody else can read this.",
                ]
            )
        case .deleted(let to):
            (
                to, "Your account was deleted",
                ["Your account at \(publicURL) and all that was in it are gone, as was asked for there."]
            )
        case .changed(let to, let what):
            (
                to, "Your account was changed",
                [
                    "Your account at \(publicURL) was given another setting: \(what) was changed.", "",
                    "If it was not you, set a new password now: \(pages.reset)",
                ]
            )
        }
    }

    private var pages: HubPages { HubPages(publicURL: publicURL) }

    private var host: String {
        guard let scheme = publicURL.firstRange(of: "://") else { return "localhost" }
        return String(publicURL[scheme.upperBound...].prefix { $0 != "/" && $0 != ":" })
    }

    /// As RFC 5322, section 3.3, has it.
    private var date: String {
        let parts = Self.utc.dateComponents([.year, .month, .day, .hour, .minute, .second], from: now())
        let month = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"][
            ((parts.month ?? 1) - 1) % 12]
        func two(_ number: Int?) -> String { (number ?? 0) < 10 ? "0\(number ?? 0)" : "\(number ?? 0)" }
        return
            "\(parts.day ?? 1) \(month) \(parts.year ?? 1970) \(two(parts.hour)):\(two(parts.minute)):\(two(parts.second)) +0000"
    }

    private static let utc: Calendar = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar
    }()
}
