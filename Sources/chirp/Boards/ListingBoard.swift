import ChirpCommunity
import ChirpCore
import ChirpHTTP
import ChirpHub
import ChirpListings
import ChirpNetworks
import FoundationEssentials

/// Lost & Found for the command line: of the hub that one is signed in to, or on this machine, whether or not it is served.
struct ListingBoard: Sendable {
    private enum Place: Sendable {
        case remote(RemoteListings)
        case here(ListingShelf, PictureTaker)
    }

    /// Takes in a picture on this machine.
    typealias PictureTaker = @Sendable (_ bytes: [UInt8]) async throws -> HubID

    private let place: Place

    init(_ remote: RemoteListings) { place = .remote(remote) }
    init(_ shelf: ListingShelf, takePicture: @escaping PictureTaker) { place = .here(shelf, takePicture) }

    func search(_ fields: [String: String]) async throws -> HubListingPage {
        switch place {
        case .remote(let remote):
            try await told { () throws(RemoteListings.Refusal) in try await remote.search(fields) }
        case .here(let shelf, _): try decode(try await told { try await shelf.search(fields) })
        }
    }

    func post(_ fields: [String: String], pictures: [String]) async throws -> HubListing {
        do {
            switch place {
            case .remote(let remote): return try await told { try await remote.place(fields, pictures: pictures) }
            case .here(let shelf, _):
                return try decode(
                    try await told { try await shelf.place(fields, pictures: pictures.compactMap { HubID($0) }) })
            }
        } catch ListingFailure.refused(let title, let faults) {
            guard faults["place"] != nil, let name = fields["place"] else {
                throw ListingFailure.refused(title: title, fields: faults)
            }
            let meant = try? await search(["place": name]).meant
            throw ListingFailure.noPlace(name, meant: (meant ?? []).prefix(3).map(\.title))
        }
    }

    /// Takes in a picture for a listing.
    ///
    /// - Parameter name: of its file.
    /// - Returns: its id.
    func addPicture(_ bytes: [UInt8], name: String) async throws -> String {
        do {
            switch place {
            case .remote(let remote): return try await told { try await remote.addPicture(bytes) }
            case .here(_, let take): return try await take(bytes).text
            }
        } catch let refusal as PictureIntake.Refusal {
            throw ListingFailure.noPicture(name, refusal.reason)
        } catch ListingFailure.refused(let title, let fields) {
            throw ListingFailure.noPicture(name, fields["pictures"] ?? title)
        } catch let refusal as UploadRefusal {
            if case .library(let error) = refusal { throw error }
            throw ListingFailure.noPicture(name, "there is no room for it")
        }
    }

    func settle(_ id: HubID, as outcome: String) async throws -> HubListing? {
        switch place {
        case .remote(let remote):
            try await told { try await remote.act("closure", on: id.text, ["outcome": outcome]) }
        case .here(let shelf, _): try decode(try await told { try await shelf.settle(id, as: outcome) })
        }
    }

    func renew(_ id: HubID) async throws -> HubListing? {
        switch place {
        case .remote(let remote): try await told { try await remote.act("renewal", on: id.text, [:]) }
        case .here(let shelf, _): try decode(try await told { try await shelf.renew(id) })
        }
    }

    func withdraw(_ id: HubID, reason: String) async throws {
        switch place {
        case .remote(let remote):
            _ = try await told { try await remote.act("withdrawal", on: id.text, ["reason": reason, "sure": "yes"]) }
        case .here(let shelf, _): try await told { try await shelf.withdraw(id, reason: reason) }
        }
    }

    /// Says what was not taken in the words of the command line.
    private func told<T>(_ body: () async throws -> T) async throws -> T {
        do { return try await body() } catch let refusal as RemoteListings.Refusal {
            switch refusal {
            // Unlike a publication, nothing of this is kept for later.
            case .network(let error) where error.exitCode == .temporary: throw ListingFailure.away(error.whatHappened)
            case .network(let error): throw error
            case .notTaken(let title, let fields): throw ListingFailure.refused(title: title, fields: fields)
            }
        } catch let refusal as ListingShelf.Refusal {
            throw ListingFailure.refused(title: refusal.title, fields: refusal.fields)
        }
    }

    private func decode<T: Decodable>(_ bytes: [UInt8]) throws -> T {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            let text = try decoder.singleValueContainer().decode(String.self)
            guard let date = InstantText.parse(text) else {
                throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "no instant"))
            }
            return date
        }
        return try decoder.decode(T.self, from: Data(bytes))
    }
}
