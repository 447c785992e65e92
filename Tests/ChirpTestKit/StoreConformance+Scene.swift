internal import ChirpCore
internal import ChirpStores
internal import Foundation

extension StoreConformance {
    /// One store, one folder for files, and the checks.
    struct Scene: Sendable {
        let store: any Store
        let folder: TemporaryFolder

        private func file(_ name: String, bytes: Int, seed: UInt8 = 1) throws -> Payload {
            try TestPayload.make(folder.path(name), bytes: bytes, seed: seed)
        }

        private func save(_ payload: Payload, _ id: StoredObject.ID) async throws(StoreError) -> StoredObject {
            try await store.save(payload, id: id, checkpoint: UploadCheckpoint())
        }

        /// What an operation fails with; nil when it succeeds.
        private func failure(_ body: () async throws(StoreError) -> Void) async -> StoreError? {
            do throws(StoreError) { try await body() } catch { return error }
            return nil
        }

        private func expectMissing(_ what: String, _ found: StoreError?, _ id: StoredObject.ID) -> [String] {
            found == .missing(id) ? [] : ["\(what) gave \(found.map { "\($0)" } ?? "success"), not missing"]
        }

        /// Neither loading nor sharing finds anything, and no file appears.
        func absence(of id: StoredObject.ID) async -> [String] {
            let target = folder.path("absent")
            var wrong = expectMissing(
                "load", await failure { () async throws(StoreError) in try await store.load(id, to: target) }, id)
            wrong += expectMissing(
                "share", await failure { () async throws(StoreError) in _ = try await store.share(id) }, id)
            if FileManager.default.fileExists(atPath: target) { wrong.append("a file appeared") }
            return wrong
        }

        func roundTrip(bytes: Int) async throws -> [String] {
            let payload = try file("in", bytes: bytes)
            let id = try await store.reserve()
            let saved = try await save(payload, id)
            var wrong: [String] = []
            if saved != StoredObject(id: id, bytes: payload.bytes) { wrong.append("save gave \(saved)") }
            try await store.load(id, to: folder.path("out"))
            let same = FileManager.default.contentsEqual(atPath: payload.path, andPath: folder.path("out"))
            if !same { wrong.append("other bytes came back") }
            let names = try folder.names()
            if names != ["in", "out"] { wrong.append("left behind: \(names)") }
            return wrong
        }

        func saveTwice() async throws -> [String] {
            let payload = try file("in", bytes: 1000)
            let id = try await store.reserve()
            let before = try await store.quota().used
            let first = try await save(payload, id)
            let second = try await save(payload, id)
            var wrong = first == second ? [] : ["the answers differ"]
            if let before, let after = try await store.quota().used, after - before != ByteCount(1000) {
                wrong.append("\(after - before) are used for 1000 bytes")
            }
            return wrong
        }

        func otherBytes() async throws -> [String] {
            let id = try await store.reserve()
            _ = try await save(try file("first", bytes: 1000), id)
            let second = try file("second", bytes: 1000, seed: 2)
            let found = await failure { () async throws(StoreError) in _ = try await save(second, id) }
            guard case .refused = found else { return ["the second save gave \(found.map { "\($0)" } ?? "success")"] }
            try await store.load(id, to: folder.path("out"))
            let kept = FileManager.default.contentsEqual(atPath: folder.path("first"), andPath: folder.path("out"))
            return kept ? [] : ["the first object changed"]
        }

        func removeTwice() async throws -> [String] {
            let id = try await store.reserve()
            try await store.remove(id)
            _ = try await save(try file("in", bytes: 1000), id)
            if store.properties.canShare { _ = try await store.share(id) }
            try await store.remove(id)
            try await store.remove(id)
            return await absence(of: id)
        }

        func shareTwice() async throws -> [String] {
            let id = try await store.reserve()
            _ = try await save(try file("in", bytes: 1000), id)
            guard store.properties.canShare else {
                let found = await failure { () async throws(StoreError) in _ = try await store.share(id) }
                guard case .unsupported = found else { return ["it cannot share, but share does not say unsupported"] }
                return []
            }
            let (a, b) = (try await store.share(id), try await store.share(id))
            return a == b && !a.isEmpty && !a.contains(where: \.isWhitespace) ? [] : ["links: '\(a)' and '\(b)'"]
        }

        func lie(_ change: (inout Payload) -> Void) async throws -> [String] {
            var payload = try file("in", bytes: 1000)
            change(&payload)
            let lying = payload
            let id = try await store.reserve()
            let found = await failure { () async throws(StoreError) in _ = try await save(lying, id) }
            guard case .inputOutput = found else { return ["save gave \(found.map { "\($0)" } ?? "success")"] }
            var wrong = await absence(of: id)
            // The id is still good for the honest file.
            _ = try await save(try file("in", bytes: 1000), id)
            try await store.load(id, to: folder.path("out"))
            if !FileManager.default.contentsEqual(atPath: folder.path("in"), andPath: folder.path("out")) {
                wrong.append("the honest file did not come back")
            }
            return wrong
        }

        func overfill() async throws -> [String] {
            let id = try await store.reserve()
            let payload = try file("in", bytes: 1000)
            let found = await failure { () async throws(StoreError) in _ = try await save(payload, id) }
            guard case .full(let needed, let free) = found else {
                return ["1000 bytes into 999 gave \(found.map { "\($0)" } ?? "success")"]
            }
            var wrong = await absence(of: id)
            if needed != ByteCount(1000) { wrong.append("needed says \(needed)") }
            if let free, free != ByteCount(999) { wrong.append("free says \(free)") }
            let used = try await store.quota().used
            if let used, used != ByteCount(0) { wrong.append("\(used) are used afterwards") }
            _ = try await save(try file("fits", bytes: 999), id)
            return wrong
        }

        func quota() async throws -> [String] {
            let before = try await store.quota()
            let id = try await store.reserve()
            _ = try await save(try file("in", bytes: 1000), id)
            let after = try await store.quota()
            try await store.remove(id)
            let end = try await store.quota()
            var wrong: [String] = []
            if before.free != ByteCount(5000) { wrong.append("free before: \(before)") }
            if after.free != ByteCount(4000) { wrong.append("free after saving: \(after)") }
            if end != before { wrong.append("after removing: \(end)") }
            return wrong
        }

        func loadOver() async throws -> [String] {
            let id = try await store.reserve()
            _ = try await save(try file("in", bytes: 1000), id)
            let target = folder.path("mine")
            try Data("mine".utf8).write(to: URL(filePath: target))
            let found = await failure { () async throws(StoreError) in try await store.load(id, to: target) }
            var wrong = found == nil ? ["load over a file succeeded"] : []
            if try Data(contentsOf: URL(filePath: target)) != Data("mine".utf8) { wrong.append("the file changed") }
            let names = try folder.names()
            if names != ["in", "mine"] { wrong.append("left behind: \(names)") }
            return wrong
        }

        func cancelled() async throws -> [String] {
            let id = try await store.reserve()
            let payload = try file("in", bytes: 1000)
            let task = Task {
                // Cancelled before it begins.
                await untilCancelled()
                return await failure { () async throws(StoreError) in _ = try await save(payload, id) }
            }
            task.cancel()
            let found = await task.value
            var wrong = found == .cancelled ? [] : ["save gave \(found.map { "\($0)" } ?? "success")"]
            wrong += await absence(of: id)
            return wrong
        }
    }
}
