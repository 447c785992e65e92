public import ChirpCore
public import ChirpStores
internal import Foundation

/// What every ``Store`` must do, as checks that any store's tests can run.
///
/// A check returns what was wrong in words; an empty list is success. That way it does not depend on a test library:
/// ```swift
/// @Test(arguments: StoreConformance.Check.allCases)
/// func `the folder store conforms`(check: StoreConformance.Check) async throws {
///     let conformance = StoreConformance { limit in FolderStore(...) }
///     #expect(try await conformance.violations(of: check) == [])
/// }
/// ```
public struct StoreConformance: Sendable {
    public enum Check: String, CaseIterable, Sendable {
        case `an object comes back as it was saved`
        case `saving twice under one id is one object`
        case `an id that holds other bytes is refused`
        case `two reserved ids differ`
        case `a reserved id holds nothing`
        case `what is missing is missing`
        case `removing twice succeeds`
        case `a removed object is gone`
        case `sharing twice gives the same link`
        case `a file that is shorter than promised is not stored`
        case `a file that is longer than promised is not stored`
        case `a file with another checksum is not stored`
        case `a file that is not there is not stored`
        case `a full store refuses and keeps nothing`
        case `the quota counts what is stored`
        case `loading never overwrites`
        case `a cancelled task changes nothing`
        case `an empty object can be stored`
    }

    private let make: @Sendable (ByteCount?) async throws -> any Store

    /// - Parameter make: a new, empty store; with a limit in bytes when one is given.
    public init(make: @escaping @Sendable (ByteCount?) async throws -> any Store) { self.make = make }

    /// What the store does wrong.
    public func violations(of check: Check) async throws -> [String] {
        let scene = Scene(store: try await make(nil), folder: try TemporaryFolder())
        switch check {
        case .`an object comes back as it was saved`: return try await scene.roundTrip(bytes: 300_000)
        case .`an empty object can be stored`: return try await scene.roundTrip(bytes: 0)
        case .`saving twice under one id is one object`: return try await scene.saveTwice()
        case .`an id that holds other bytes is refused`: return try await scene.otherBytes()
        case .`two reserved ids differ`:
            let (a, b) = (try await scene.store.reserve(), try await scene.store.reserve())
            return a == b ? ["\(a) was reserved twice"] : []
        case .`a reserved id holds nothing`:
            let id = try await scene.store.reserve()
            return await scene.absence(of: id)
        case .`what is missing is missing`: return await scene.absence(of: StoredObject.ID("no-such-object"))
        case .`removing twice succeeds`, .`a removed object is gone`: return try await scene.removeTwice()
        case .`sharing twice gives the same link`: return try await scene.shareTwice()
        case .`a file that is shorter than promised is not stored`: return try await scene.lie { $0.bytes += 1 }
        case .`a file that is longer than promised is not stored`: return try await scene.lie { $0.bytes -= 1 }
        case .`a file with another checksum is not stored`:
            return try await scene.lie { $0.sha256 = String(repeating: "0", count: 64) }
        case .`a file that is not there is not stored`: return try await scene.lie { $0.path += ".not-there" }
        case .`a full store refuses and keeps nothing`:
            return try await Scene(store: try await make(ByteCount(999)), folder: scene.folder).overfill()
        case .`the quota counts what is stored`:
            return try await Scene(store: try await make(ByteCount(5000)), folder: scene.folder).quota()
        case .`loading never overwrites`: return try await scene.loadOver()
        case .`a cancelled task changes nothing`: return try await scene.cancelled()
        }
    }
}
