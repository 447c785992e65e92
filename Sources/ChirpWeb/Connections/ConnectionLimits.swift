/// How much of a server one visitor may hold, and for how long without taking or asking anything.
package struct ConnectionLimits: Hashable, Sendable {
    /// Connections at once; with a file each they stay below the usual limit of 1024 open files.
    package var total = 400
    /// Connections at once of one address. A browser opens six, a shared address of an office some dozens.
    package var perAddress = 64
    /// Event streams among these. They last as long as their listeners like, so they are fewer.
    package var streamsPerAddress = 16
    /// How long a connection may be silent between requests, and a request's head may take to arrive.
    package var idle: Duration = .seconds(60)
    /// How long an answer may wait for a reader that takes no byte of it.
    package var stall: Duration = .seconds(60)

    package init() {}
}
