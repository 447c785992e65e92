package import ChirpCommunity

/// Why a licence's text or terms were not taken.
package enum LicenceRefusal: Error, Hashable, Sendable {
    case fields([LicenceField: LicenceFault])
    case noAccount
    case noSuchText
    /// Somebody has written another version meanwhile: that one is the newest.
    case changed(version: Int)
    case tooMany(most: Int)
    case library(LibraryError)

    /// What a transaction has thrown.
    init(_ error: any Error) {
        switch error {
        case let error as LicenceRefusal: self = error
        case let error as LibraryError: self = .library(error)
        default: self = .library(.inputOutput(path: "licences", reason: "\(error)"))
        }
    }
}
