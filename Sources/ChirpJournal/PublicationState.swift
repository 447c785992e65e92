/// How far a publication has come. Each state says what is certainly done; what follows may have been begun.
public enum PublicationState: String, Hashable, Sendable, Codable, CaseIterable {
    /// The recording is known; the clip is not made yet.
    case begun
    /// The clip lies whole and checked in the outbox folder.
    case prepared
    /// The store has given an id.
    case idReserved
    /// An upload session is open; so many bytes are confirmed.
    case uploading
    /// The store has the clip.
    case stored
    /// Anyone with the link can listen.
    case shared
    /// The share text is fixed, and a post may have been sent.
    case posting
    /// The post is there, or there is no network to post to.
    case posted
    /// Nothing is left to do; the outbox holds nothing of it.
    case done
    /// What was made is being removed; ``PublicationRecord/outcome`` says what it will be then.
    case withdrawing
    /// It was refused for good, and what was made is removed.
    case failedForGood
    /// The user has dropped it, and what was made is removed.
    case dropped
    /// Its time is over, and it is removed.
    case expired

    /// Whether there is still work to do.
    public var isOpen: Bool {
        switch self {
        case .begun, .prepared, .idReserved, .uploading, .stored, .shared, .posting, .posted, .withdrawing: true
        case .done, .failedForGood, .dropped, .expired: false
        }
    }

    public static let open = allCases.filter(\.isOpen)
}
