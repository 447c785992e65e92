internal import ChirpCore
package import ChirpDatabase
package import ChirpFiles

/// Why names of places cannot be had.
package enum GazetteerError: Error, Hashable {
    /// A file that it is made from cannot be read, or what is made not be put into its place.
    case file(FileError)
    /// A file that it is made from holds nothing of what it should.
    case noPlaces(path: String)
    case database(DatabaseFailure)

    /// What happened, for a log.
    package var reason: String {
        switch self {
        case .file(let error): "\(PlainText(error.path, limit: 200)): \(error.reason)"
        case .noPlaces(let path): "\(PlainText(path, limit: 200)) holds no places"
        case .database(let failure): PlainText(failure.reason, limit: 200).value
        }
    }

    init(_ error: any Error) {
        switch error {
        case let error as GazetteerError: self = error
        case let error as FileError: self = .file(error)
        default: self = .database(DatabaseFailure(error))
        }
    }
}
