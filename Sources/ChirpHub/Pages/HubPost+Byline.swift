internal import ChirpCommunity
internal import ChirpWeb

extension HubPost {
    /// Who wrote it, before the date. The owner of a hub is not named on it: "Me" tells a visitor nothing.
    var authorLead: HTML { isByOwner ? .nothing : "<bdi>\(author.name)</bdi> · " }
}
