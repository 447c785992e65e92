internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpWeb

extension Listing {
    func pictures(_ links: HubLinks) -> ItemPictures {
        ItemPictures(of: item, style: "listing", links: links) { [item] number, count in
            word(
                "listing.picture.of", ["number": "\(number)", "count": "\(count)", "title": item.title])
        }
    }
}
