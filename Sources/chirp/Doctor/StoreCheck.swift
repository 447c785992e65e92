import ChirpCommands
import ChirpCore
import ChirpOAuth
import ChirpStores

/// Whether the store that is configured can be used, and how much room it has. The hub on this machine and the folder have
/// checks of their own.
enum StoreCheck {
    static func findings(_ wiring: Wiring) async -> [Finding] {
        let name = wiring.session.config.store.value
        do {
            let store: any Store
            switch name {
            case .folder: return []
            case .hub:
                guard let known = try wiring.hubSignIn() else { return [] }
                store = try wiring.hubStore(of: known)
            case .drive: store = try wiring.driveStore()
            case .webdav: store = try wiring.webdavStore()
            case .s3: store = try wiring.s3Store()
            }
            return [.ok("store", "\(name.rawValue) answers, \(room(try await store.quota()))")]
        } catch is CredentialError {
            // The credentials themselves are a finding of their own.
            return []
        } catch let error as any Explained {
            return [.problem("store", error.whatHappened, cure: error.whatToDo)]
        } catch {
            return [.problem("store", "\(error)", cure: "Run: chirp doctor -v")]
        }
    }

    private static func room(_ quota: Quota) -> String {
        if let free = quota.free { return "\(free) free" }
        return quota.unlimited ? "without a limit" : "how much room it has is not known"
    }
}
