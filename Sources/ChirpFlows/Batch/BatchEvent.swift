public import ChirpAudio
public import ChirpClips

/// What a batch tells while it works.
public enum BatchEvent: Hashable, Sendable {
    /// The tree was read, and it is known what is to be done.
    case listed(BatchProgress)
    /// One file, in the order of the list.
    case file(BatchResult)
    case progress(BatchProgress)
    case note(Receipt.Note)
    /// All that is there is made; now changes are waited for.
    case watching
}

extension AudioError {
    /// That a recording holds no sound is no failure of a batch.
    package var isSilence: Bool { if case .nothingToHear = self { true } else { false } }
}

/// What became of one file.
public struct BatchResult: Hashable, Sendable {
    public enum Outcome: Hashable, Sendable {
        case made(Receipt)
        /// The clip of an earlier run is there and would come out the same.
        case unchanged
        /// A dry run: it would be made.
        case planned
        /// It is no audio, in words.
        case ignored(String)
        /// It holds no sound, in words: there is nothing to make a clip of, and nothing has gone wrong.
        case silent(String)
        case failed(AudioError)
    }

    /// Its place in the list, from 0.
    public var index: Int
    public var path: BatchPath
    /// Below the folder of the clips; nil for what has no clip.
    public var output: BatchPath?
    public var outcome: Outcome
}
