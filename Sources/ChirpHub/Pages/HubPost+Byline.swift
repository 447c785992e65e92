internal import ChirpNetworks

extension HubPost {
    /// Who wrote it, before the date. The owner of a hub is not named on it: "Me" tells a visitor nothing.
    var authorLead: HTML {
        author.id.text == HubLibrary.localAccount ? .nothing : "<bdi>\(author.displayName)</bdi> · "
    }
}
