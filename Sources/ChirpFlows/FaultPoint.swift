/// A place in a flow where a process may die. Tests stop there, or kill themselves there, and resume.
///
/// Each step of a publication has two: after the world has changed and before the journal knows (the harder one), and after
/// the journal knows.
public enum FaultPoint: String, Hashable, Sendable, CaseIterable {
    /// The row is written; nothing else has happened.
    case begun
    case analysed
    case admitted
    /// The clip lies in the outbox folder; the journal does not know.
    case rendered
    /// The journal knows.
    case prepared
    /// The store has given an id; the journal does not know.
    case reserved
    case idReserved
    /// The journal has a session or more confirmed bytes; reached several times per upload.
    case uploading
    /// The store has the clip; the journal does not know.
    case saved
    case stored
    /// The clip is public; the journal does not know its link.
    case linked
    case shared
    /// The share text is in the journal; the post is about to be sent.
    case posting
    /// The post is there; the journal does not know.
    case published
    case posted
    /// The local clip is gone; the journal does not know.
    case cleaned
    case done
    /// The journal knows that what was made is to be removed.
    case withdrawing
    case postRemoved
    case objectRemoved
    /// A batch has made a clip, which is not in its place yet.
    case clipMade
    /// The clip is in its place; the journal does not know.
    case clipPlaced
    /// The journal knows; reached once per clip.
    case clipRecorded
}

extension FaultPoint {
    /// Those that a batch passes; the others belong to publications.
    public static let ofBatch: [FaultPoint] = [.clipMade, .clipPlaced, .clipRecorded]
}
