import ChirpCommands
import ChirpCore
import ChirpHub

// How what is sold on the hub is paid.
extension Wiring {
    /// As the configuration says. Secrets come from files that their owner alone may read, or from the environment.
    func payments() throws(HubError) -> HubPayments {
        let config = session.config
        var payments = HubPayments()
        if let currency = config.hubCurrency.value { payments.currency = currency }
        guard config.hubPayments.value == "stripe" else { return payments }
        let key = try paymentSecret(
            config.hubStripeKeyFile.value, "hub.stripe.keyFile", called: "key", or: "CHIRP_HUB_STRIPE_KEY")
        let signing = try paymentSecret(
            config.hubStripeWebhookSecretFile.value, "hub.stripe.webhookSecretFile", called: "webhook secret",
            or: "CHIRP_HUB_STRIPE_WEBHOOK_SECRET")
        var cards = HubPayments.Cards(key: key, signing: [signing])
        let (path, variable) = (config.hubStripeConnectSecretFile.value, "CHIRP_HUB_STRIPE_CONNECT_SECRET")
        if path != nil || session.environment[variable]?.isEmpty == false {
            cards.connectSigning = [
                try paymentSecret(
                    path, "hub.stripe.connectSecretFile", called: "webhook secret of connected accounts", or: variable)
            ]
        }
        // For tests: a service on this machine.
        if let api = session.environment["CHIRP_HUB_STRIPE_API"], api.hasPrefix("http://127.0.0.1:") {
            (cards.api, cards.pages, cards.sellerPages) = (api, api, api)
        }
        payments.cards = cards
        return payments
    }

    private func paymentSecret(
        _ path: String?, _ setting: String, called name: String, or variable: String
    ) throws(HubError) -> Secret {
        if let secret = session.environment[variable], !secret.isEmpty { return Secret(secret) }
        guard let path else { throw .paymentsIncomplete(reason: "\(setting) is missing") }
        do throws(SecretFileError) { return try secret(in: path, called: name) } catch {
            throw .paymentsIncomplete(reason: error.reason)
        }
    }
}
