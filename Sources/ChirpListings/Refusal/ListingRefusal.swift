package import ChirpCommunity

/// What a listing is made of, by the names that forms and programs use.
package enum ListingField: String, Hashable, Sendable, CaseIterable {
    case side, category, title, text, pictures, clip, place, at, precision, from, to, handover, reward, phone, question
    /// Of acts.
    case outcome, reason, sure
}

/// What is wrong with a field.
package enum ListingFault: Hashable, Sendable {
    case missing
    /// Neither words nor a clip say what it is.
    case noWords
    case tooLong(most: Int)
    case tooMany(most: Int)
    /// Bytes.
    case tooLarge(most: Int)
    /// None of those that can be chosen.
    case unknown
    case noTime
    case backwards
    case inFuture
    case longAgo
    /// No place is called so here.
    case noPlace
    /// No latitude and longitude.
    case noPoint
    case noPhone
    case mailAddress
    /// Not the author's own, or not ready.
    case notYours
    /// What was sent is no picture, or no recording; why, as a sentence without its full stop.
    case unusable(String)
    /// Files are taken by other hubs.
    case takenNowhere
}

/// Why a listing was not placed or changed.
package enum ListingRefusal: Error, Hashable, Sendable {
    case fields([ListingField: ListingFault])
    case item(ItemRefusal)
    /// Its author takes no calls.
    case noPhone

    /// What a transaction has thrown.
    init(_ error: any Error) {
        switch error {
        case let error as ListingRefusal: self = error
        case let error as ItemRefusal: self = .item(error)
        case let error as LibraryError: self = .item(.library(error))
        default: self = .item(.library(.inputOutput(path: ListingStore.board, reason: "\(error)")))
        }
    }
}
