public import ChirpAudio
public import ChirpCore
internal import ChirpFiles

/// Why a sound device cannot be used.
public enum DeviceError: Explained, Hashable {
    /// The client library of the sound server is not installed.
    case noLibrary(reason: String)
    /// No sound server answers at the address; nil is the user's usual one.
    case noServer(address: String?, reason: String)
    /// There is no such device; nil is the default one. `known` are the names that would do.
    case noDevice(name: String?, direction: AudioDevice.Direction, known: [String])
    /// Several devices fit what the user wrote.
    case ambiguous(name: String, matches: [String])
    /// The device or its server went away and did not come back in time.
    case lost(device: String, reason: String)
    /// The device is suspended and stayed so: it neither takes nor gives samples.
    case suspended(device: String)
    /// The server refuses the stream: no permission, an impossible format.
    case refused(device: String, reason: String)
    /// The library reported something that its documentation rules out.
    case library(call: String, code: Int)
    case cancelled

    /// Whether it may be over by itself: a server that is restarted, a plug that is put in again.
    public var mayPass: Bool {
        switch self {
        case .noServer, .noDevice, .lost, .suspended, .refused: true
        case .noLibrary, .ambiguous, .library, .cancelled: false
        }
    }

    public var whatHappened: String {
        switch self {
        case .noLibrary(let reason): "sound devices cannot be used: \(reason)"
        case .noServer(nil, let reason): "no sound server answers: \(PlainText(reason, limit: 200))"
        case .noServer(let address?, let reason):
            "no sound server answers at \(quoted(address)): \(PlainText(reason, limit: 200))"
        case .noDevice(nil, .input, _): "there is no microphone"
        case .noDevice(nil, .output, _): "there is no loudspeaker"
        case .noDevice(let name?, let direction, _): "there is no \(direction.rawValue) device \(quoted(name))"
        case .ambiguous(let name, let matches):
            "\(quoted(name)) fits several devices: \(Self.list(matches))"
        case .lost(let device, let reason):
            "the device \(quoted(device)) was lost and did not come back: \(PlainText(reason, limit: 200))"
        case .suspended(let device): "the device \(quoted(device)) is suspended and gives no sound"
        case .refused(let device, let reason):
            "the sound server refuses \(quoted(device)): \(PlainText(reason, limit: 200))"
        case .library(let call, let code): "\(call) failed with code \(code)"
        case .cancelled: "interrupted"
        }
    }

    public var cure: Cure {
        switch self {
        case .noLibrary: .install(package: "libpulse0")
        case .noServer: .startSoundServer
        case .noDevice(_, .input, let known) where known.isEmpty:
            .first(.advice("Plug in a microphone"), then: .look(at: .soundDevices))
        case .noDevice(_, .output, let known) where known.isEmpty:
            .first(.advice("Plug in a loudspeaker or headphones"), then: .look(at: .soundDevices))
        case .noDevice(_, _, let known): .advice("Choose one of: \(Self.list(known))")
        case .ambiguous: .both(.advice("Write more of the name"), .look(at: .soundDevices))
        case .lost: .first(.advice("Check the plug and the sound server"), then: .look(at: .soundDevices))
        case .suspended(let device): .either(.wake(device: device), .set(.soundDevice))
        case .refused: .both(.set(.soundDevice), .look(at: .soundDevices))
        case .library: .reportDiagnosis
        case .cancelled: .none
        }
    }

    public var exitCode: ExitCode {
        switch self {
        case .noLibrary, .noServer, .refused: .refused
        case .noDevice(_, .input, _): .missingInput
        case .noDevice(_, .output, _): .refused
        case .ambiguous: .usage
        case .lost, .suspended: .inputOutput
        case .library: .unexpected
        case .cancelled: .interrupted
        }
    }

    /// The same failure where samples are read or written.
    public func audioError(device: String) -> AudioError {
        switch self {
        case .cancelled: .cancelled
        case .library(let call, let code): .library(name: call, code: code)
        default: .inputOutput(path: device, reason: .words(whatHappened))
        }
    }

    private static func list(_ names: [String]) -> String {
        let shown = names.prefix(6).map(plain).joined(separator: ", ")
        return names.count > 6 ? "\(shown), and \(names.count - 6) more" : shown
    }

    private static func plain(_ text: String) -> String { PlainText(text, limit: 120).value }
    private func quoted(_ text: String) -> String { "'\(Self.plain(text))'" }
}
