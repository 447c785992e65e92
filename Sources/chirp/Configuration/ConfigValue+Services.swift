import ChirpCore
import ChirpNetworks

// Values of other modules that can be configured.

extension XSettings.Mode: ConfigValue {}
extension MastodonSettings.Visibility: ConfigValue {}
extension MastodonSettings.Ending: ConfigValue {}

/// A secret may stand in the configuration, and is not shown from there.
extension Secret: ConfigValue {
    init(configText: String) throws(BadValue) {
        guard !configText.isEmpty else { throw BadValue(configText, needs: "a text that is not empty") }
        self.init(configText)
    }

    var configText: String { "(not shown)" }
}
