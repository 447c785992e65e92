internal import ChirpCore
internal import ChirpHTTP
package import ChirpStores

// The store in a bucket.
extension Wiring {
    /// The folder of the bucket for clips, as the configuration says.
    func s3Settings() throws -> S3Store.Settings {
        let (config, endpoint) = (session.config, try s3Endpoint())
        guard let bucket = config.s3Bucket.value else {
            throw ConfigError.incomplete(key: "s3.bucket", neededFor: "the store s3", example: "clips")
        }
        return try S3Store.Settings(
            endpoint: endpoint, bucket: bucket, region: config.s3Region.value, folder: config.s3Folder.value ?? "",
            isVirtualHosted: config.s3Addressing.value == .host, linkBase: config.s3PublicURL.value,
            limit: config.s3Limit.value?.count)
    }

    /// A folder of any bucket of the same service, that has no links.
    func s3Settings(bucket: String, folder: String) throws -> S3Store.Settings {
        let (config, endpoint) = (session.config, try s3Endpoint())
        return try S3Store.Settings(
            endpoint: endpoint, bucket: bucket, region: config.s3Region.value, folder: folder,
            isVirtualHosted: config.s3Addressing.value == .host)
    }

    private func s3Endpoint() throws -> WebAddress {
        guard let endpoint = session.config.s3Endpoint.value else {
            throw ConfigError.incomplete(
                key: "s3.endpoint", neededFor: "the store s3", example: "https://s3.eu-central-1.amazonaws.com")
        }
        guard let address = WebAddress(endpoint) else {
            throw StoreError.refused(status: 0, detail: "'\(endpoint)' in the configuration is no web address")
        }
        return address
    }

    package func s3Store() throws -> S3Store { try s3Store(try s3Settings()) }

    package func s3Store(_ settings: S3Store.Settings) throws -> S3Store {
        guard let keys = try s3Keys() else { throw StoreError.signedOut(store: "s3") }
        return S3Store(settings, keys: keys, transport: transport)
    }

    /// The same when it is set up.
    package func s3ToSweep() throws(StoreError) -> S3Store? {
        guard session.config.s3Endpoint.value != nil, session.config.s3Bucket.value != nil else { return nil }
        do {
            return try s3Keys() == nil ? nil : try s3Store()
        } catch let error as StoreError {
            throw error
        } catch {
            throw .signedOut(store: "s3", cause: (error as? any Explained)?.whatHappened ?? "\(error)")
        }
    }

    /// What signs requests: from the environment, or from a file that its owner alone may read; nil when there is neither.
    private func s3Keys() throws(StoreError) -> S3Keys? {
        func variable(_ name: String) -> Secret? {
            session.environment[name].flatMap { $0.isEmpty ? nil : Secret($0) }
        }
        var lines: [Secret] = []
        if let id = variable("CHIRP_S3_ACCESS_KEY_ID"), let secret = variable("CHIRP_S3_SECRET_ACCESS_KEY") {
            lines = [id, secret] + (variable("CHIRP_S3_SESSION_TOKEN").map { [$0] } ?? [])
        } else if let path = session.config.s3KeyFile.value {
            do throws(SecretFileError) { lines = try secrets(in: path, called: "key") } catch {
                throw .signedOut(store: "s3", cause: error.reason)
            }
        } else {
            return nil
        }
        guard (2...3).contains(lines.count),
            let keys = S3Keys(
                accessKeyID: lines[0].reveal(), secret: lines[1], sessionToken: lines.count == 3 ? lines[2] : nil)
        else {
            throw .signedOut(store: "s3", cause: "the keys are not an access key id and a secret key, a line each")
        }
        return keys
    }
}
