internal import ChirpCore
internal import ChirpFiles
package import Hummingbird
internal import NIOCore

/// Where the bodies of requests go while they come: small ones into memory, files to the disk, each within a budget.
package struct BodyStore: Sendable {
    /// Of what is read into memory: forms, JSON, activities, pictures on their way to a decoder. 40 MiB hold two of the largest pictures, which
    /// is as many as are decoded at once; an address has room for one and for the forms beside it. Who has not signed in sends forms, messages
    /// and activities alone, and a tenth is left for small ones.
    package let memory: ByteBudget
    /// Of files that came and are not taken in yet: as many as ten of the largest forms, two from one address.
    let disk: ByteBudget
    /// Where such files lie, without a name.
    let folder: String

    /// - Parameter folder: a folder of the server's own, on a disk: a temporary folder in memory would be none.
    package init(
        folder: String,
        memory: ByteBudget = ByteBudget(
            total: 40 << 20, perHolder: 21 << 20, perStranger: 2 << 20, keptForSmall: 4 << 20),
        disk: ByteBudget = ByteBudget(total: 960 << 20, perHolder: 192 << 20)
    ) { (self.folder, self.memory, self.disk) = (folder, memory, disk) }

    /// The same request, whose body is charged to the memory of whoever sends it as it is read.
    ///
    /// - Parameters:
    ///   - lease: is to live until the request is answered.
    ///   - end: when the body has to be there, else it is refused with 408; nil for no such time.
    package static func counted(
        _ request: Request, _ lease: ByteBudget.Lease, until end: ContinuousClock.Instant? = nil
    ) -> Request {
        var request = request
        let body = request.body
        request.body = Hummingbird.RequestBody(asyncSequence: CountedBody(body: body, lease: lease, end: end))
        return request
    }

    /// Begins a file that came with a request.
    func begin(_ context: WebContext) throws -> SentFile.Writing {
        try SentFile.Writing(in: folder, self, for: context.holder)
    }
}

extension WebContext {
    /// Takes the body of a request in as a file.
    ///
    /// - Parameter most: bytes.
    /// - Throws: ``HTTPError`` with 413 for more, ``Problem`` with 422 for none, and with 429 and 503 when too much is on its way.
    package func receive(_ request: Request, upTo most: Int) async throws -> SentFile {
        let file = try beginFile()
        for try await piece in request.body {
            guard piece.readableBytes <= most - file.count else { throw HTTPError(.contentTooLarge) }
            try await file.append(piece)
        }
        guard file.count > 0 else { throw Problem(.unprocessableContent, "no-file", "Nothing was sent") }
        return try await file.finish()
    }

    /// Begins a file that comes with a request, for a reader of another form.
    ///
    /// - Throws: ``FileError``.
    package func beginFile() throws -> SentFile.Writing {
        guard let bodies else { throw HTTPError(.internalServerError) }
        return try bodies.begin(self)
    }
}

/// A body that is charged as it is read.
private struct CountedBody: AsyncSequence, Sendable {
    let body: Hummingbird.RequestBody
    let lease: ByteBudget.Lease
    let end: ContinuousClock.Instant?

    struct AsyncIterator: AsyncIteratorProtocol {
        var body: Hummingbird.RequestBody.AsyncIterator
        let lease: ByteBudget.Lease
        let end: ContinuousClock.Instant?

        @concurrent mutating func next() async throws -> ByteBuffer? {
            guard let piece = try await body.next() else { return nil }
            if let end, ContinuousClock.now > end { throw HTTPError(.requestTimeout) }
            try lease.charge(piece.readableBytes)
            return piece
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(body: body.makeAsyncIterator(), lease: lease, end: end) }
}
