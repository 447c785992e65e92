import ChirpCore
import ChirpHTTP
import ChirpStores
import ChirpTestKit
import LoopbackService
import Synchronization
import Testing

/// No token, session address, password or header in any error or log, whatever happens.
@Suite struct SecrecyTests {
    /// Everything that can be learned from an error.
    private func words(_ error: any Error) -> String {
        let explained = error as? any Explained
        return "\(error) \(String(reflecting: error)) \(explained?.whatHappened ?? "") \(explained?.cure ?? .none)"
    }

    @Test(arguments: [
        DriveFault.refusal(400), .refusal(401), .refusal(403), .refusal(404), .refusal(409), .refusal(500), .page(200),
        .page(302), .lost, .reset(afterBytes: 10), .deadSession(),
    ])
    func `no error and no log line of Drive holds a secret`(fault: DriveFault) async throws {
        let calls: [DriveCall] = [
            .about, .generateIDs, .list, .create, .permit, .start, .chunk, .status, .get, .delete,
        ]
        for call in calls {
            let world = try DriveWorld()
            for _ in 0..<8 { world.drive.plan(fault, at: call) }
            let store = try world.store()
            let payload = try world.payload(bytes: 300_000)
            var said: [String] = []
            func attempt(_ body: () async throws -> Void) async {
                do { try await body() } catch { said.append(words(error)) }
            }
            let id = StoredObject.ID("0123456789abcdef")
            await attempt { _ = try await store.quota() }
            await attempt { _ = try await store.reserve() }
            await attempt { _ = try await store.save(payload, id: id, checkpoint: world.checkpoint()) }
            let real = try? await world.store().reserve()
            for _ in 0..<2 {
                await attempt {
                    _ = try await store.save(payload, id: real ?? id, checkpoint: world.checkpoint(world.lastSession))
                }
            }
            await attempt { _ = try await store.share(real ?? id) }
            await attempt { try await store.remove(real ?? id) }
            let text = said.joined(separator: "\n") + world.log.withLock { $0.joined(separator: "\n") }
            for secret in [LoopbackDrive.token, "upload_id", "upload-", "Bearer", "Authorization"] {
                #expect(!text.contains(secret), "\(call): \(text)")
            }
        }
    }

    @Test func `no error of WebDAV holds the password`() async throws {
        for status in [400, 401, 403, 404, 409, 413, 500, 507] {
            let world = try WebDAVWorld()
            let store = try world.store()
            let payload = try TestPayload.make(world.folder.path("in"), bytes: 1000)
            for method in ["PUT", "MOVE", "DELETE", "PROPFIND", "MKCOL"] {
                for _ in 0..<3 { world.service.plan(.refusal(status), at: method) }
            }
            let id = try await store.reserve()
            for _ in 0..<4 {
                do { _ = try await store.save(payload, id: id, checkpoint: UploadCheckpoint()) } catch {
                    #expect(!words(error).contains(LoopbackWebDAV.password) && !words(error).contains("Basic"))
                }
                do { _ = try await store.quota() } catch {
                    #expect(!words(error).contains(LoopbackWebDAV.password) && !words(error).contains("Basic"))
                }
            }
        }
    }
}
