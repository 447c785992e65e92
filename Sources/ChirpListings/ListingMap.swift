internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpMap
internal import ChirpPlaces

extension ListingDesk {
    /// The board's maps: beside lists, in a listing's page, and where a place is chosen.
    var map: BoardMap {
        let now = desk.library.now()
        return BoardMap(desk, board: ListingStore.board, ground: ground) { [links] item, spot, near in
            let side = Listing.Side(rawValue: item.kind) ?? .lost
            var detail = [side.name, Listing.ago(item.created, now: now)]
            if let distance = Listing.distance(of: item, from: near) { detail.append(distance) }
            return MapPoint(
                point: spot ?? item.place?.shown ?? GeoPoint(nearLatitude: 0, longitude: 0), title: item.title,
                detail: detail.joined(separator: " · "), href: "\(Self.path)/\(item.id)",
                pictureHref: item.pictures.first.map { links.picture($0, .small, below: "") }, isHollow: side == .found)
        }
    }
}
