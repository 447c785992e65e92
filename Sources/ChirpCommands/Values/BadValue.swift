internal import ChirpCore

/// A text that is no value of its kind, and what would be one. Used for flags, for the environment and for the
/// configuration file, each of which says where the text stood.
package struct BadValue: Error, Hashable, CustomStringConvertible {
    /// As given, made safe to show.
    package let text: String
    /// What is needed, with an accepted example.
    package let needs: String

    package init(_ text: String, needs: String) {
        self.text = PlainText(AddressText.masked(text), limit: 100).value
        self.needs = needs
    }

    /// Completes "The value 'x' is invalid for '--flag':".
    package var description: String { "it needs \(needs)" }
}
