internal import ChirpJournal

/// How clips are called between the worker that has made them and the batch that puts them into their places.
enum StagedName {
    /// In the folder of the clips. Workers write into folders of this name only.
    static let folder = ".chirp-fleet"

    /// By one worker for one handing out, so that two that make the same clip never write to one file.
    static func of(job: JobID, worker: String, delivery: Int) -> String { "\(job).\(worker).\(delivery).mp3" }

    /// Whether a name that came with a result is one of that job's.
    static func isOne(_ name: String, of job: JobID) -> Bool {
        guard name.utf8.count <= 200, name.hasPrefix("\(job)."), name.hasSuffix(".mp3") else { return false }
        return name.utf8.allSatisfy {
            (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) || $0 == UInt8(ascii: ".")
        } && !name.contains("..")
    }
}
