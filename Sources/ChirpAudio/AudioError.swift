public import ChirpCore
public import ChirpFiles

/// What can go wrong between a file or device and samples.
public enum AudioError: Explained, Hashable {
    /// There is no such file, or it may not be read.
    case missing(path: String, reason: FailureReason)
    /// The input is not audio that can be decoded. The detail is what the decoding library said, if one did.
    case undecodable(name: String, reason: String, detail: String = "")
    /// It decodes, but holds no frames or only silence: nothing to publish.
    case nothingToHear(name: String, reason: String)
    /// Decodable, but outside what Chirp accepts: channels, sample rate, length.
    case unsupported(name: String, reason: String)
    /// An encoder setting that cannot work, such as 320 kbps at 22.05 kHz.
    case settings(String)
    /// The part of it that was asked for begins where the recording has ended.
    case outside(name: String, reason: String)
    /// The output cannot be created.
    case uncreatable(path: String, reason: FailureReason)
    /// Reading or writing failed in the middle (full disk, lost device).
    case inputOutput(path: String, reason: FailureReason)
    /// It is read through a program that is not here, or may not be started here.
    case programMissing(name: String, kind: String, program: String)
    /// The process that read it for this one ended before it was done (see `ConfinedProcess`).
    case crashed(name: String, reason: String)
    /// A library reported something that its documentation rules out.
    case library(name: String, code: Int)
    case cancelled

    public var whatHappened: String {
        switch self {
        case .missing(let path, let reason): "cannot read \(quoted(path)): \(reason)"
        case .undecodable(let name, let reason, _): "\(quoted(name)) cannot be decoded: \(reason)"
        case .nothingToHear(let name, let reason): "\(quoted(name)) holds nothing to hear: \(reason)"
        case .unsupported(let name, let reason): "\(quoted(name)) is not supported: \(reason)"
        case .settings(let reason): "these encoder settings do not work: \(reason)"
        case .outside(let name, let reason): "\(quoted(name)) has no such part: \(reason)"
        case .uncreatable(let path, let reason): "cannot create \(quoted(path)): \(reason)"
        case .inputOutput(let path, let reason): "reading or writing \(quoted(path)) failed: \(reason)"
        case .programMissing(let name, let kind, let program):
            "\(quoted(name)) is \(kind), which is read by the program \(program), and that is not installed"
        case .crashed(let name, let reason): "reading \(quoted(name)) ended the process that did it: \(reason)"
        case .library(let name, let code): "\(name) failed with code \(code)"
        case .cancelled: "interrupted"
        }
    }

    public var cure: Cure {
        switch self {
        case .missing: .advice("Check the path and its permissions")
        case .undecodable: .advice("Check that it is a whole audio file: WAV, AIFF, FLAC, Ogg, MP3 and others are read")
        case .nothingToHear: .either(.advice("Check the recording level"), .set(.silence))
        case .unsupported: .convert
        case .settings: .set(.encoder)
        case .outside: .advice("Choose an earlier beginning")
        case .uncreatable: .advice("Check that the folder exists and is writable")
        case .inputOutput:
            .advice("Check the free space and the device, then run it again; nothing was left half done")
        case .programMissing(_, _, let program): .install(package: program)
        case .crashed: .advice("Please report this with the file that caused it; nothing else was touched")
        case .library: .advice("Please report this with the input that caused it")
        case .cancelled: .none
        }
    }

    public var detail: String {
        guard case .undecodable(_, _, let detail) = self else { return "" }
        return "\(PlainText(detail, limit: 500))"
    }

    public var exitCode: ExitCode {
        switch self {
        case .missing: .missingInput
        case .undecodable, .nothingToHear, .unsupported, .programMissing, .crashed: .badInput
        case .settings, .outside: .usage
        case .uncreatable: .cannotCreateOutput
        case .inputOutput: .inputOutput
        case .library: .unexpected
        case .cancelled: .interrupted
        }
    }

    private func quoted(_ text: String) -> String { "'\(PlainText(text, limit: 200))'" }
}

extension AudioError {
    /// A file that could not be read or written to its end; `cancelled` when nobody wanted it any more.
    package init(_ error: FileError) {
        self =
            error.isCancellation
            ? .cancelled : .inputOutput(path: error.path, reason: .system(error.error))
    }
}
