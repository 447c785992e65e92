package import ChirpAudio
internal import ChirpFiles
internal import Glibc

extension AudioError {
    /// Whether this machine cannot now, whatever was sent: where the result goes nothing can be created, its disk is full, or it has too many files
    /// open. Everything else a file can cause, if only by making its reader say so, and what is tried again for it needs an end.
    package var isOfMachine: Bool {
        switch self {
        case .uncreatable: true
        case .inputOutput(_, let reason), .missing(_, let reason):
            reason.isFull || [EMFILE, ENFILE].contains(reason.code)
        default: false
        }
    }
}
