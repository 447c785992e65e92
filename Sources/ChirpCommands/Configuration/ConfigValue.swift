internal import ChirpAccounts
internal import ChirpClips
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpHTTP
internal import ChirpNetworks

/// A kind of value that a configuration file or a variable can hold as text.
package protocol ConfigValue: Sendable {
    /// - Throws: what is needed instead.
    init(configText: String) throws(BadValue)
    var configText: String { get }
}

extension ConfigValue where Self: RawRepresentable<String> & CaseIterable {
    package init(configText: String) throws(BadValue) {
        guard let value = Self(rawValue: configText) else {
            throw BadValue(configText, needs: "one of " + Self.allCases.map(\.rawValue).joined(separator: ", "))
        }
        self = value
    }

    package var configText: String { rawValue }
}

extension Preset: ConfigValue {}

extension Bool: ConfigValue {
    package init(configText: String) throws(BadValue) {
        switch configText.lowercased() {
        case "true", "yes", "on", "1": self = true
        case "false", "no", "off", "0": self = false
        default: throw BadValue(configText, needs: "true or false")
        }
    }

    package var configText: String { self ? "true" : "false" }
}

extension Int: ConfigValue {
    package init(configText: String) throws(BadValue) {
        guard let value = Int(configText) else { throw BadValue(configText, needs: "a whole number") }
        self = value
    }

    package var configText: String { String(self) }
}

extension Double: ConfigValue {
    package init(configText: String) throws(BadValue) {
        guard let value = Double(configText), value.isFinite else { throw BadValue(configText, needs: "a number") }
        self = value
    }

    package var configText: String { self == rounded() && magnitude < 1e15 ? String(Int(self)) : String(self) }
}

extension String: ConfigValue {
    package init(configText: String) throws(BadValue) {
        guard !configText.isEmpty else { throw BadValue(configText, needs: "a text that is not empty") }
        self = configText
    }

    package var configText: String { self }
}

extension LengthOfTime: ConfigValue {
    package init(configText: String) throws(BadValue) { try self.init(configText) }
    package var configText: String { text }
}

extension Size: ConfigValue {
    package init(configText: String) throws(BadValue) { try self.init(configText) }
    package var configText: String { text }
}

/// `none` and `never` stand for the absence of a value.
extension Optional: ConfigValue where Wrapped: ConfigValue {
    package init(configText: String) throws(BadValue) {
        self = ["none", "never"].contains(configText.lowercased()) ? nil : try Wrapped(configText: configText)
    }

    package var configText: String { self?.configText ?? "none" }
}

// Values of other modules that can be configured.

extension Registration: ConfigValue {}
extension MailServer.Encryption: ConfigValue {}
extension XSettings.Mode: ConfigValue {}
extension MastodonSettings.Visibility: ConfigValue {}
extension MastodonSettings.Ending: ConfigValue {}

/// Addresses and blocks of addresses, separated by commas.
extension TrustedProxies: ConfigValue {
    package init(configText: String) throws(BadValue) {
        guard configText.lowercased() != "none" else {
            self = .none
            return
        }
        var blocks: [AddressBlock] = []
        for part in configText.split(whereSeparator: { $0 == "," || $0 == " " }) {
            guard let block = AddressBlock(part) else {
                throw BadValue(configText, needs: "addresses or blocks of them, such as 127.0.0.1, 10.0.0.0/8")
            }
            blocks.append(block)
        }
        self.init(blocks)
    }

    package var configText: String { blocks.isEmpty ? "none" : blocks.map(\.description).joined(separator: ", ") }
}

/// The boards of a hub, by their names.
package struct BoardNames: Hashable, Sendable {
    package var names = HubChoices.boards
}

/// Names with commas between them; `none` for none.
extension BoardNames: ConfigValue {
    package init(configText: String) throws(BadValue) {
        guard configText.lowercased() != "none" else {
            names = []
            return
        }
        names = configText.split(whereSeparator: { $0 == "," || $0 == " " }).map(String.init)
        guard !names.isEmpty, names.allSatisfy(HubChoices.boards.contains) else {
            throw BadValue(configText, needs: "none, or some of \(HubChoices.boards.joined(separator: ", "))")
        }
    }

    package var configText: String { names.isEmpty ? "none" : names.joined(separator: ", ") }
}

/// A secret may stand in the configuration, and is not shown from there.
extension Secret: ConfigValue {
    package init(configText: String) throws(BadValue) {
        guard !configText.isEmpty else { throw BadValue(configText, needs: "a text that is not empty") }
        self.init(configText)
    }

    package var configText: String { "(not shown)" }
}
