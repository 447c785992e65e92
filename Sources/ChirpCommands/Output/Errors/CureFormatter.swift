internal import ChirpCore

/// Cures as a terminal says them: as commands, flags, variables and keys of the configuration.
enum CureFormatter {
    static func text(_ cure: Cure) -> String { cure.sentence(words) }

    /// Nil where the plain words do.
    private static func words(_ cure: Cure) -> String? {
        switch cure {
        case .signIn("webdav"?):
            "Run: chirp login webdav, or set webdav.user with CHIRP_WEBDAV_PASSWORD, or CHIRP_WEBDAV_TOKEN"
        case .signIn("s3"?):
            "Set s3.keyFile, or CHIRP_S3_ACCESS_KEY_ID and CHIRP_S3_SECRET_ACCESS_KEY"
        case .signIn(nil): "Run: chirp login"
        case .signIn(let service?): "Run: chirp login \(service)"
        case .signInAgain(let service): "Run: chirp login \(service) --force"
        case .install(let package): "Install it: apt-get install \(package)"
        case .freeSpace:
            "Free some space, choose another --store, or make the clip smaller with --max-bytes or --preset tiny"
        case .sweep: "Run: chirp sweep"
        case .resume(nil): "Run: chirp outbox resume"
        case .resume(let id?): "Run: chirp outbox resume \(id)"
        case .set(let setting): words(setting)
        case .look(let view): words(view)
        case .diagnose: "Run: chirp doctor"
        case .reportDiagnosis: "Please report this with the output of: chirp doctor"
        case .makePrivate(let path): "Run: chmod 600 '\(PlainText(path, limit: 200))'"
        case .startSoundServer:
            "Start one with: pulseaudio --start (or: systemctl --user start pipewire-pulse), or set PULSE_SERVER"
        case .wake(let device):
            "Wake it with: pactl suspend-source \(PlainText(device, limit: 120)) 0 (a loudspeaker: suspend-sink)"
        case .convert: "Convert it first, for example with: sox IN -r 48000 -c 2 OUT.wav"
        case .postByHand: "Use --network none and post the text yourself"
        case .stopWatching: "Run it without --watch"
        case .none, .advice, .either, .first, .both: nil
        }
    }

    private static func words(_ setting: Cure.Setting) -> String {
        switch setting {
        case .store: "Choose another --store"
        case .network: "Choose another --network"
        case .soundDevice: "Choose another --device"
        case .encoder: "Choose a preset (voice, music, tiny) or another --bitrate"
        case .silence: "Use --no-trim to keep silence"
        case .hubPort: "Choose another port with --port"
        case .hubAddress: "Choose an address of this machine with --bind, and a port above 1023 with --port"
        case .serviceAddress: "Correct the address in config.yaml; https is needed except for this machine itself"
        case .collection:
            "Check the address and the sign-in: webdav.user with CHIRP_WEBDAV_PASSWORD, or webdav.url and chirp login webdav"
        case .redirectPort: "Set x.redirectPort and register that address at X"
        case .budget: "Raise the budget in config.yaml"
        case .fleetRoot: "Give batch and workers a root that both reach (--root), so that only names travel"
        case .fleetCredentials: "Set fleet.credentials (and fleet.caFile) in the configuration"
        case .fleetEncryption:
            "Write tls:// for a server with a certificate (fleet.caFile), or use a file by nsc; on a network that nobody else "
                + "reaches set fleet.allowClearPassword: true"
        case .metricsAddress: "Choose another address, such as --metrics 127.0.0.1:9465"
        case .accounts: "Name them with --from @a,@b"
        case .timeFrame: "Write it like --between 14:00-16:00, in your own time zone"
        case .listeningTime(let hours): "Give a length such as --for \(hours)h"
        case .dataFolder: "Set XDG_DATA_HOME to another folder"
        case .stateFolder: "Set XDG_STATE_HOME to another folder"
        case .temporaryFolder: "Set TMPDIR to a folder that this user may write to"
        }
    }

    private static func words(_ view: Cure.View) -> String {
        switch view {
        case .soundDevices: "See: chirp devices"
        case .accounts: "See: chirp accounts"
        case .played: "See: chirp replay"
        case .takes: "See: chirp takes"
        case .outbox: "See: chirp outbox"
        case .signInHelp: "See: chirp login --help"
        }
    }
}

extension Explained {
    /// One line: what the user can do about it in a terminal. Empty when there is nothing to do.
    package var whatToDo: String { CureFormatter.text(cure) }
}
