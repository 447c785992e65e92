package import ChirpCore

/// Whether and how frames read X.
package struct FrameXSettings: Hashable, Sendable {
    package let clientID: String
    package let clientSecret: Secret?
    /// The root of the API, and the page where people sign in.
    package let api, authorization: String
    /// What all frames together may spend in a calendar month.
    package let monthlyUSD: Double

    package init(clientID: String, clientSecret: Secret?, api: String, authorization: String, monthlyUSD: Double) {
        self.clientID = clientID
        self.clientSecret = clientSecret
        self.api = api
        self.authorization = authorization
        self.monthlyUSD = monthlyUSD
    }
}
