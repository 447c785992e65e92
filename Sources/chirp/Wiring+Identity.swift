import ChirpCommands
import ChirpCommunity
import ChirpCore
import ChirpHTTP
import ChirpHub

// By which services elsewhere people sign in at the hub.
extension Wiring {
    /// As the configuration names them.
    func identitySettings() throws(HubError) -> IdentitySettings {
        let config = session.config
        var settings = IdentitySettings()
        settings.mastodon = config.hubIdentityMastodon.value
        settings.insecureLoopback = config.hubIdentityInsecureLoopback.value
        guard let issuer = config.hubIdentityIssuer.value else { return settings }
        guard let client = config.hubIdentityClientID.value else {
            throw .identityIncomplete(reason: "hub.identity.oidc.clientID is missing")
        }
        settings.openID = IdentitySettings.OpenID(
            issuer: issuer, client: client, secret: try identitySecret(),
            name: config.hubIdentityName.value ?? WebAddress(issuer)?.host ?? issuer)
        return settings
    }

    /// How frames read X; nil unless a cap is set. They sign in by the same client as this program.
    func frameX() throws(ConfigError) -> FrameXSettings? {
        let config = session.config
        guard let cap = config.hubFramesXMonthlyUSD.value, cap > 0 else { return nil }
        guard let id = config.xClientID.value else {
            throw .incomplete(key: "x.clientID", neededFor: "frames that read X", example: "VGhpcyBpcyBub3Qgb25l")
        }
        return FrameXSettings(
            clientID: id, clientSecret: config.xClientSecret.value, api: config.xAPIURL.value,
            authorization: config.xAuthURL.value, monthlyUSD: cap)
    }

    /// From the environment, or from a file that its owner alone may read; none for a client without one.
    private func identitySecret() throws(HubError) -> Secret? {
        if let secret = session.environment["CHIRP_HUB_OIDC_SECRET"], !secret.isEmpty { return Secret(secret) }
        guard let path = session.config.hubIdentitySecretFile.value else { return nil }
        do throws(SecretFileError) { return try secret(in: path, called: "secret") } catch {
            throw .identityIncomplete(reason: error.reason)
        }
    }
}
