package import ChirpAccounts
package import ChirpCommunity
package import ChirpPlaces
package import ChirpWeb
package import Logging

/// What boards are given by the hub that they are a part of.
package struct BoardDesk: Sendable {
    package let library: HubLibrary
    package let links: HubLinks
    package let forgery: ForgeryCheck
    package let limits: RateLimits
    /// What new accounts may post.
    package let policy: PostingPolicy
    /// Names of places; nil: this machine has none.
    package let gazetteer: Gazetteer?
    /// Takes a picture in as somebody's; nil: this hub takes none.
    package let takePicture: (@Sendable (_ file: SentFile, _ owner: AccountID) async throws -> HubID)?
    /// Takes a recording in as somebody's clip and waits until it is one; nil: this hub takes none.
    package let takeClip: (@Sendable (_ file: SentFile, _ title: String, _ owner: AccountID) async throws -> HubID)?
    package let logger: Logger
    /// Listens to what shows something; nil: nobody does here.
    package let hearing: BoardHearing?
    /// Makes the sound of announcements; nil: nobody does here.
    package let announcing: BoardAnnouncing?
    /// Reads aloud; nil: this machine has no voice.
    package let voice: BoardVoice?
    /// Takes a film in as somebody's, which is looked at afterwards; nil: this hub takes none.
    package let takeFilm: (@Sendable (_ file: SentFile, _ owner: AccountID) async throws -> HubID)?
    /// What tracks the hub takes; nil: none.
    package let tracks: TrackDesk?

    package init(
        library: HubLibrary, links: HubLinks, forgery: ForgeryCheck, limits: RateLimits, policy: PostingPolicy,
        gazetteer: Gazetteer?, takePicture: (@Sendable (SentFile, AccountID) async throws -> HubID)?,
        takeClip: (@Sendable (SentFile, String, AccountID) async throws -> HubID)?, logger: Logger,
        hearing: BoardHearing? = nil, announcing: BoardAnnouncing? = nil, voice: BoardVoice? = nil,
        takeFilm: (@Sendable (SentFile, AccountID) async throws -> HubID)? = nil, tracks: TrackDesk? = nil
    ) {
        self.library = library
        self.links = links
        self.forgery = forgery
        self.limits = limits
        self.policy = policy
        self.gazetteer = gazetteer
        self.takePicture = takePicture
        self.takeClip = takeClip
        self.logger = logger
        self.hearing = hearing
        self.announcing = announcing
        self.voice = voice
        self.takeFilm = takeFilm
        self.tracks = tracks
    }
}

/// How a board takes tracks that come with a form. Larger ones are sent as uploads with `use=track`.
package struct TrackDesk: Sendable {
    /// Of what is taken as an upload.
    package let limits: TrackLimits
    /// Takes one in as somebody's, by a name; what is heard of it is made afterwards, where that can do no harm.
    package let take: @Sendable (_ file: SentFile, _ name: String, _ owner: AccountID) async throws -> HubID
    /// Says whether stems make up their mix; nil: nobody does here.
    package let checkStems: TrackMaking.StemChecking?
    /// Makes previews that differ from listener to listener; nil: nobody does here.
    package let tagging: ListenerTagging?

    package init(
        limits: TrackLimits, checkStems: TrackMaking.StemChecking? = nil, tagging: ListenerTagging? = nil,
        take: @escaping @Sendable (_ file: SentFile, _ name: String, _ owner: AccountID) async throws -> HubID
    ) { (self.limits, self.checkStems, self.tagging, self.take) = (limits, checkStems, tagging, take) }
}
