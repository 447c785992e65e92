import ChirpCore
import ChirpFiles
import ChirpStores
import ChirpTestKit
import Foundation
import LoopbackService
import Testing

// CH-5: a file that was hashed is not read again before it is sent, unless somebody touched it.
@Suite struct FileSealTests {
    @Test func `reading leaves it whole, every way of writing breaks it`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("clip")
        let url = URL(filePath: path)
        func sealed(_ touch: () throws -> Void) throws -> Bool {
            try Data("eleven byte".utf8).write(to: url)
            try settle(path)
            let seal = try #require(FileSeal(path))
            try touch()
            return seal == FileSeal(path)
        }
        #expect(try sealed { _ = try Data(contentsOf: url) })
        #expect(try !sealed { try Data("eleven bite".utf8).write(to: url) })
        #expect(try !sealed { try Data("eleven bite".utf8).write(to: url, options: .atomic) })
        #expect(try !sealed { truncate(path, 5) })
        #expect(try !sealed { try FileManager.default.removeItem(at: url) })
        #expect(
            try !sealed {
                let date = try FileManager.default.attributesOfItem(atPath: path)[.modificationDate]
                let handle = try FileHandle(forWritingTo: url)
                try handle.write(contentsOf: Data("f".utf8))
                try handle.close()
                try FileManager.default.setAttributes([.modificationDate: date as Any], ofItemAtPath: path)
            })
        #expect(FileSeal(folder.path("nothing")) == nil)
        #expect(FileSeal(folder.path("")) == nil)
    }

    /// Lets the file become older than a tick of the clock by which the system dates changes.
    private func settle(_ path: String) throws {
        while try age(path) < .milliseconds(20) { sched_yield() }
    }

    private func age(_ path: String) throws -> Duration {
        var facts = stat()
        try #require(stat(path, &facts) == 0)
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return .seconds(now.tv_sec - facts.st_ctim.tv_sec) + .nanoseconds(now.tv_nsec - facts.st_ctim.tv_nsec)
    }

    @Test func `a sealed file goes up without being read for its checksum, a changed one is refused`() async throws {
        let world = try DriveWorld()
        let store = try world.store(chunkBytes: nil)
        var payload = try world.payload(bytes: 1000)
        try settle(payload.path)
        payload.seal = FileSeal(payload.path)
        _ = try await store.save(payload, id: try await store.reserve(), checkpoint: UploadCheckpoint())
        #expect(world.drive.clips.count == 1)

        _ = try world.payload(bytes: 1000, seed: 2)  // other bytes in its place
        let (changed, id) = (payload, try await store.reserve())
        await #expect {
            _ = try await store.save(changed, id: id, checkpoint: UploadCheckpoint())
        } throws: {
            if case .inputOutput? = $0 as? StoreError { true } else { false }
        }
        #expect(world.drive.clips.count == 1)
    }
}
