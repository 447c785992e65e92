import ChirpAccounts
import ChirpClips
import ChirpCore
import ChirpHTTP
import ChirpHub
import ChirpNetworks

/// A kind of value that a configuration file or a variable can hold as text.
protocol ConfigValue: Sendable {
    /// - Throws: what is needed instead.
    init(configText: String) throws(BadValue)
    var configText: String { get }
}

extension ConfigValue where Self: RawRepresentable<String> & CaseIterable {
    init(configText: String) throws(BadValue) {
        guard let value = Self(rawValue: configText) else {
            throw BadValue(configText, needs: "one of " + Self.allCases.map(\.rawValue).joined(separator: ", "))
        }
        self = value
    }

    var configText: String { rawValue }
}

extension Preset: ConfigValue {}

extension Bool: ConfigValue {
    init(configText: String) throws(BadValue) {
        switch configText.lowercased() {
        case "true", "yes", "on", "1": self = true
        case "false", "no", "off", "0": self = false
        default: throw BadValue(configText, needs: "true or false")
        }
    }

    var configText: String { self ? "true" : "false" }
}

extension Int: ConfigValue {
    init(configText: String) throws(BadValue) {
        guard let value = Int(configText) else { throw BadValue(configText, needs: "a whole number") }
        self = value
    }

    var configText: String { String(self) }
}

extension Double: ConfigValue {
    init(configText: String) throws(BadValue) {
        guard let value = Double(configText), value.isFinite else { throw BadValue(configText, needs: "a number") }
        self = value
    }

    var configText: String { self == rounded() && magnitude < 1e15 ? String(Int(self)) : String(self) }
}

extension String: ConfigValue {
    init(configText: String) throws(BadValue) {
        guard !configText.isEmpty else { throw BadValue(configText, needs: "a text that is not empty") }
        self = configText
    }

    var configText: String { self }
}

extension LengthOfTime: ConfigValue {
    init(configText: String) throws(BadValue) { try self.init(configText) }
    var configText: String { text }
}

extension Size: ConfigValue {
    init(configText: String) throws(BadValue) { try self.init(configText) }
    var configText: String { text }
}

/// `none` and `never` stand for the absence of a value.
extension Optional: ConfigValue where Wrapped: ConfigValue {
    init(configText: String) throws(BadValue) {
        self = ["none", "never"].contains(configText.lowercased()) ? nil : try Wrapped(configText: configText)
    }

    var configText: String { self?.configText ?? "none" }
}

// Values of other modules that can be configured.

extension Registration: ConfigValue {}
extension MailServer.Encryption: ConfigValue {}
extension XSettings.Mode: ConfigValue {}
extension MastodonSettings.Visibility: ConfigValue {}
extension MastodonSettings.Ending: ConfigValue {}

/// Addresses and blocks of addresses, separated by commas.
extension TrustedProxies: ConfigValue {
    init(configText: String) throws(BadValue) {
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

    var configText: String { blocks.isEmpty ? "none" : blocks.map(\.description).joined(separator: ", ") }
}

/// The boards of a hub, by their names.
struct BoardNames: Hashable, Sendable {
    var names = Boards.names
}

/// Names with commas between them; `none` for none.
extension BoardNames: ConfigValue {
    init(configText: String) throws(BadValue) {
        guard configText.lowercased() != "none" else {
            names = []
            return
        }
        names = configText.split(whereSeparator: { $0 == "," || $0 == " " }).map(String.init)
        guard !names.isEmpty, names.allSatisfy(Boards.names.contains) else {
            throw BadValue(configText, needs: "none, or some of \(Boards.names.joined(separator: ", "))")
        }
    }

    var configText: String { names.isEmpty ? "none" : names.joined(separator: ", ") }
}

/// A secret may stand in the configuration, and is not shown from there.
extension Secret: ConfigValue {
    init(configText: String) throws(BadValue) {
        guard !configText.isEmpty else { throw BadValue(configText, needs: "a text that is not empty") }
        self.init(configText)
    }

    var configText: String { "(not shown)" }
}
