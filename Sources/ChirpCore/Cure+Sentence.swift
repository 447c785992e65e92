extension Cure: CustomStringConvertible {
    /// In plain words, for logs and pages.
    public var description: String { sentence { _ in nil } }

    /// One line without a full stop; empty for ``none``.
    ///
    /// - Parameter words: what a front end says for a cure that is no combination of others; nil for the plain words.
    public func sentence(_ words: (Cure) -> String?) -> String {
        switch self {
        case .either(let one, let other):
            "\(one.sentence(words)), or \(other.sentence(words).beginningSmall)"
        case .first(let one, let other):
            "\(one.sentence(words)), then \(other.sentence(words).beginningSmall)"
        case .both(let one, let other):
            Self.join(one.sentence(words), other.sentence(words))
        default: words(self) ?? plain
        }
    }

    private static func join(_ one: String, _ other: String) -> String {
        one.hasSuffix("?") ? "\(one) \(other)" : "\(one); \(other.beginningSmall)"
    }

    private var plain: String {
        switch self {
        case .none, .either, .first, .both: ""
        case .advice(let text): text
        case .signIn(nil): "Sign in"
        case .signIn(let service?): "Sign in to \(service)"
        case .signInAgain(let service): "Sign in to \(service) again"
        case .install(let package): "Install the package \(package)"
        case .freeSpace: "Free some space, choose another store, or make the clip smaller"
        case .sweep: "Remove what has expired"
        case .resume(nil): "Resume the outbox"
        case .resume(let publication?): "Resume publication \(publication)"
        case .set(let setting): "Set \(setting.plain)"
        case .look(let view): "See \(view.plain)"
        case .diagnose: "Have everything checked"
        case .reportDiagnosis: "Please report this with what a check of everything finds"
        case .makePrivate(let path): "Make '\(PlainText(path, limit: 200))' readable by its owner alone (mode 600)"
        case .startSoundServer: "Start the sound server"
        case .wake(let device): "Wake '\(PlainText(device, limit: 120))', which the sound server has suspended"
        case .convert: "Convert it first, for example to a WAV of two channels at 48 kHz"
        case .postByHand: "Choose no network and post the text yourself"
        case .stopWatching: "Run it without watching"
        }
    }
}

extension Cure.Setting {
    fileprivate var plain: String {
        switch self {
        case .store: "another store"
        case .network: "another network"
        case .soundDevice: "another sound device"
        case .encoder: "another preset (voice, music, tiny) or bit rate"
        case .silence: "that silence is kept"
        case .hubPort: "another port"
        case .hubAddress: "an address of this machine and a port above 1023"
        case .serviceAddress: "the right address; https is needed except for this machine itself"
        case .collection: "the right address and the sign-in of the WebDAV collection"
        case .redirectPort: "another port for the browser, and register that address at the service"
        case .budget: "a higher budget"
        case .fleetRoot: "a folder that batch and workers both reach, so that only names travel"
        case .fleetCredentials: "the fleet's credentials"
        case .fleetEncryption: "TLS for the fleet's servers"
        case .metricsAddress: "another address for the figures"
        case .accounts: "whom to listen to"
        case .timeFrame: "a time frame such as 14:00-16:00, in your own time zone"
        case .listeningTime(let hours): "a length such as \(hours) h"
        case .dataFolder: "another folder for data"
        case .stateFolder: "another folder for the journal"
        case .temporaryFolder: "a folder for temporary files that this user may write to"
        }
    }
}

extension Cure.View {
    fileprivate var plain: String {
        switch self {
        case .soundDevices: "the sound devices"
        case .accounts: "the accounts that you follow"
        case .played: "the clips that were played"
        case .takes: "the takes"
        case .outbox: "the outbox"
        case .signInHelp: "the ways to sign in"
        }
    }
}

extension String {
    /// The same as the second half of a sentence.
    fileprivate var beginningSmall: String { prefix(1).lowercased() + dropFirst() }
}
