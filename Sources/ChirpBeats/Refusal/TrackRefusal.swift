package import ChirpCommunity

/// What somebody says of a track, field by field, as forms and programs name it.
package enum TrackField: String, Hashable, Sendable, CaseIterable {
    case kind, track, title, versionOf, versionName, text, tags, price, amount, currency, cover, until, reason, sure
}

/// What is wrong with a field.
package enum TrackFault: Hashable, Sendable {
    case missing
    case unknown
    case tooLong(most: Int)
    case tooMany(most: Int)
    case past
    case noTime
    /// No amount of that currency, or more than anybody pays.
    case noAmount
    case notYours
    case tooLarge(most: Int64)
    /// What took it in has said why.
    case unusable(String)
    case takenNowhere
    /// Another track has it.
    case used
    /// What was sent is listened to, or is there: another recording is another track.
    case settled
}

/// Why a track was not offered or changed.
package enum TrackRefusal: Error, Hashable, Sendable {
    case fields([TrackField: TrackFault])
    case item(ItemRefusal)
    /// Her role does not say that she offers such.
    case role(Track.Kind)
    /// What was sent is not ready.
    case notReady
    /// Another part of the board needs it to stay: a sentence without its full stop.
    case held(String)

    /// What a transaction has thrown.
    init(_ error: any Error) {
        switch error {
        case let error as TrackRefusal: self = error
        case let error as ItemRefusal: self = .item(error)
        case let error as LibraryError: self = .item(.library(error))
        default: self = .item(.library(.inputOutput(path: Beats.board, reason: "\(error)")))
        }
    }
}
