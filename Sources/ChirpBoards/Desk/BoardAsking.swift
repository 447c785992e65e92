internal import ChirpCore
package import ChirpWeb
package import Hummingbird

extension Request {
    /// What stands behind the question mark, decoded.
    package var asked: RequestFields { RequestFields(PercentEncoding.fields(of: uri.query ?? "")) }

    /// Whether a program asks.
    package var isForProgram: Bool { uri.path.hasPrefix("/api/") }
}

extension Response {
    /// Nobody but the browser that asked may keep it, and it asks again: it shows what one person sees now.
    package var personal: Response {
        var response = self
        response.headers[.cacheControl] = "private, no-store"
        return response
    }

    /// A page that may ask the browser where it is; the visitor is asked too, and only after a press (LF-7).
    package var askingWhere: Response {
        var response = self
        response.headers[.permissionsPolicy] = "camera=(self), microphone=(self), geolocation=(self)"
        return response
    }
}

extension Problem {
    /// What was sent does not do, by field.
    package static func notTaken(_ fields: [String: String]) -> Problem {
        Problem(.unprocessableContent, "invalid", "Something that was sent cannot be taken", fields: fields)
    }

    /// What a page says of it, without its full stop: what is wrong with a field, or else the whole.
    package var sentence: String { fields.first?.value ?? title }
}
