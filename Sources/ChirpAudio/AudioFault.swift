internal import ChirpFiles

/// An ``AudioError`` as it travels to another process or machine.
package struct AudioFault: Codable, Hashable, Sendable {
    private enum Kind: String, Codable {
        case missing, undecodable, nothingToHear, unsupported, settings, uncreatable, inputOutput, programMissing,
            crashed, outside
        case library, cancelled
    }

    private var kind: Kind
    private var name: String
    private var reason: String
    /// Of `programMissing` alone.
    private var program: String?
    /// A library's words, of `undecodable` alone.
    private var detail: String?
    /// What the system said, as an `errno`; earlier releases send its words alone.
    private var code: Int32?

    package init(_ error: AudioError) {
        switch error {
        case .missing(let path, let why): (kind, name, reason, code) = (.missing, path, "\(why)", why.code)
        case .undecodable(let path, let why, let words):
            (kind, name, reason) = (.undecodable, path, why)
            detail = words.isEmpty ? nil : words
        case .nothingToHear(let path, let why): (kind, name, reason) = (.nothingToHear, path, why)
        case .unsupported(let path, let why): (kind, name, reason) = (.unsupported, path, why)
        case .settings(let why): (kind, name, reason) = (.settings, "", why)
        case .outside(let path, let why): (kind, name, reason) = (.outside, path, why)
        case .uncreatable(let path, let why):
            (kind, name, reason, code) = (.uncreatable, path, "\(why)", why.code)
        case .inputOutput(let path, let why):
            (kind, name, reason, code) = (.inputOutput, path, "\(why)", why.code)
        case .programMissing(let path, let what, let missing):
            (kind, name, reason, program) = (.programMissing, path, what, missing)
        case .crashed(let path, let why): (kind, name, reason) = (.crashed, path, why)
        case .library(let path, let code): (kind, name, reason) = (.library, path, "\(code)")
        case .cancelled: (kind, name, reason) = (.cancelled, "", "")
        }
    }

    private var why: FailureReason { code.map { .system(SystemError(code: $0)) } ?? .words(reason) }

    package var error: AudioError {
        switch kind {
        case .missing: .missing(path: name, reason: why)
        case .undecodable: .undecodable(name: name, reason: reason, detail: detail ?? "")
        case .nothingToHear: .nothingToHear(name: name, reason: reason)
        case .unsupported: .unsupported(name: name, reason: reason)
        case .settings: .settings(reason)
        case .outside: .outside(name: name, reason: reason)
        case .uncreatable: .uncreatable(path: name, reason: why)
        case .inputOutput: .inputOutput(path: name, reason: why)
        case .programMissing: .programMissing(name: name, kind: reason, program: program ?? "ffmpeg")
        case .crashed: .crashed(name: name, reason: reason)
        case .library: .library(name: name, code: Int(reason) ?? 0)
        case .cancelled: .cancelled
        }
    }
}
