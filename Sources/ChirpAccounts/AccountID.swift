internal import GRDB

/// The name of an account within the hub: lasting, unlike its handle. In columns and in JSON it is the text alone.
package struct AccountID: RawRepresentable, Codable, Hashable, Sendable, CustomStringConvertible,
    DatabaseValueConvertible
{
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }
    package var description: String { rawValue }
}
