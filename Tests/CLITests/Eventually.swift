import ChirpTestKit

/// Waits until a condition holds, as ``until(_:_:)`` does.
func eventually(_ condition: () -> Bool) async { await until(.seconds(300), condition) }
