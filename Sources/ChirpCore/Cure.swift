/// What a person can do about an error, as a value. Each front end says it in its own terms: the terminal as commands and flags,
/// a page as a sentence. Libraries name no flag, command, environment variable or key of the configuration.
public indirect enum Cure: Hashable, Sendable {
    /// There is nothing to do.
    case none
    /// One sentence without its full stop that holds in every front end, such as "Check the path and its permissions".
    case advice(String)
    /// Sign in to a service, by the name it has in errors; nil for whichever is needed.
    case signIn(service: String?)
    /// Sign in once more, and allow all that the service asks about.
    case signInAgain(service: String)
    /// A package of the system is missing.
    case install(package: String)
    /// The clip does not fit into its store. Nil when the store does not say what is free.
    case freeSpace(needed: ByteCount, free: ByteCount?)
    /// Remove what has expired.
    case sweep
    /// Resume a publication that is in the outbox; nil for all of them.
    case resume(publication: String?)
    /// Set something, or set it to another value.
    case set(Setting)
    /// Look something up.
    case look(at: View)
    /// Have everything checked, each finding with its own cure.
    case diagnose
    /// Tell the developers, together with what a check of everything finds.
    case reportDiagnosis
    /// Take the right to read a file away from everybody but its owner.
    case makePrivate(path: String)
    /// Start the sound server, or say where it is.
    case startSoundServer
    /// Wake a sound device that its server has suspended.
    case wake(device: String)
    /// Convert a recording to a format that is accepted.
    case convert
    /// Publish the clip without a post, and post its text by hand.
    case postByHand
    /// Make the clips once instead of watching the folder.
    case stopWatching

    /// One or the other.
    case either(Cure, Cure)
    /// One after the other.
    case first(Cure, then: Cure)
    /// Both, in any order.
    case both(Cure, Cure)

    /// What can be set. Where and how is known to the front end.
    public enum Setting: Hashable, Sendable {
        /// Where clips are stored.
        case store
        /// Where posts go.
        case network
        case soundDevice
        /// Preset and bit rate.
        case encoder
        /// That silence at the ends stays.
        case silence
        case hubPort
        /// The address that the hub listens on.
        case hubAddress
        /// The address of a service.
        case serviceAddress
        /// Address and sign-in of a WebDAV collection.
        case collection
        /// The port to which a browser comes back from a sign-in.
        case redirectPort
        /// The most that posts may cost.
        case budget
        /// A folder that all machines of a fleet reach.
        case fleetRoot
        case fleetCredentials
        /// How a password for the fleet's servers is kept from others.
        case fleetEncryption
        /// The address for a worker's figures.
        case metricsAddress
        /// Whom to listen to.
        case accounts
        /// From when to when to listen.
        case timeFrame
        /// How long to listen.
        case listeningTime(hours: Int)
        /// The folder with the hub and the takes.
        case dataFolder
        /// The folder with the journal.
        case stateFolder
        /// The folder for temporary files.
        case temporaryFolder
    }

    /// What can be looked up.
    public enum View: Hashable, Sendable {
        case soundDevices
        /// The accounts one follows.
        case accounts
        /// Clips that were played.
        case played
        /// Recordings that are not published.
        case takes
        /// Publications that are not finished.
        case outbox
        /// Ways to sign in.
        case signInHelp
    }
}
