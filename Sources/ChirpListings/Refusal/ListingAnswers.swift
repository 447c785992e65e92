internal import ChirpAccounts
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpWeb
internal import Hummingbird

extension Response {
    /// Nobody but the browser that asked may keep it, and it asks again: it shows what one person sees now.
    var personal: Response {
        var response = self
        response.headers[.cacheControl] = "private, no-store"
        return response
    }
}

extension Response {
    /// A page that may ask the browser where it is; the visitor is asked too, and only after a press (LF-7).
    var askingWhere: Response {
        var response = self
        response.headers[.permissionsPolicy] = "camera=(self), microphone=(self), geolocation=(self)"
        return response
    }
}

extension Request {
    /// What stands behind the question mark, decoded.
    var asked: RequestFields { RequestFields(PercentEncoding.fields(of: uri.query ?? "")) }
    /// Whether a program asks.
    var isForProgram: Bool { uri.path.hasPrefix("/api/") }
}

extension Problem {
    static let noListing = Problem(.notFound, "not-found", "There is no such listing")

    /// What was sent does not do, by field.
    static func notTaken(_ fields: [String: String]) -> Problem {
        Problem(.unprocessableContent, "invalid", "Something that was sent cannot be taken", fields: fields)
    }
}
