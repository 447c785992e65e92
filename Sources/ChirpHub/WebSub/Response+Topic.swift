internal import ChirpWeb
internal import Hummingbird

extension Response {
    /// Names a WebSub hub, and the address that it knows a feed by (WebSub, section 4; RFC 8288): the same on every answer, so also on one
    /// that says that nothing has changed.
    ///
    /// - Parameter hub: nil names neither.
    func naming(_ hub: String?, topic: String) -> Response {
        guard let hub else { return self }
        var response = self
        response.headers[.link] = "<\(hub)>; rel=\"hub\", <\(topic)>; rel=\"self\""
        return response
    }
}
