/// How exactly others see where something is.
package enum PositionPrecision: String, Hashable, Sendable, CaseIterable, Codable {
    /// The place itself.
    case exact
    /// Somewhere within 300 m.
    case near
    /// The town.
    case town
}
