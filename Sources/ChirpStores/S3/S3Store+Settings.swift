public import ChirpCore
public import ChirpHTTP

extension S3Store {
    /// How an S3 store is set up.
    public struct Settings: Hashable, Sendable {
        /// The service, such as `https://s3.eu-central-1.amazonaws.com`, without the bucket.
        public let endpoint: WebAddress
        public let bucket: String
        /// What signatures name; services that have none take `us-east-1`.
        public let region: String
        /// The folder of the bucket, part by part; none for its root.
        public let folder: [String]
        /// Whether the bucket stands in the host, as in `https://clips.s3.example`, and not in the path.
        public let isVirtualHosted: Bool
        /// What links begin with: where others can read the folder. Nil: the objects' own addresses.
        public let linkBase: String?
        /// The most bytes of clips in the folder; nil for no limit of ours, since the service tells none.
        public let limit: ByteCount?
        /// Larger files are sent in parts of this size, and in larger ones if there would be too many; 5 MiB at least is what services
        /// want.
        package var partBytes: Int64 = 8 << 20

        /// - Throws: ``StoreError/refused(status:detail:)`` for what cannot be a bucket, a region or a folder.
        public init(
            endpoint: WebAddress, bucket: String, region: String = "us-east-1", folder: String = "",
            isVirtualHosted: Bool = false, linkBase: String? = nil, limit: ByteCount? = nil
        ) throws(StoreError) {
            guard Self.isBucket(bucket) else {
                throw .refused(status: 0, detail: "'\(bucket)' cannot be the name of a bucket")
            }
            guard Self.isRegion(region) else { throw .refused(status: 0, detail: "'\(region)' cannot be a region") }
            guard Self.isFolder(folder) else {
                throw .refused(status: 0, detail: "'\(folder)' cannot be a folder of a bucket")
            }
            guard endpoint.query == nil, !endpoint.hasDotSegments else {
                throw .refused(status: 0, detail: "the address of the service goes on after its path")
            }
            self.endpoint = endpoint
            self.bucket = bucket
            self.region = region
            self.folder = folder.split(separator: "/").map(String.init)
            self.isVirtualHosted = isVirtualHosted
            self.linkBase = linkBase
            self.limit = limit
            bucketAddress = Self.address(of: bucket, at: endpoint, isVirtualHosted: isVirtualHosted)
        }

        /// The bucket itself.
        let bucketAddress: WebAddress

        /// What names of objects begin with.
        var keyPrefix: String { folder.map { $0 + "/" }.joined() }

        /// Written into the journal.
        public var place: String { folder.reduce(bucketAddress) { $0.appending($1) }.text }

        private static func address(of bucket: String, at endpoint: WebAddress, isVirtualHosted: Bool) -> WebAddress {
            guard isVirtualHosted else { return endpoint.appending(bucket) }
            let port = endpoint.port.map { ":\($0)" } ?? ""
            let scheme = endpoint.isSecure ? "https" : "http"
            return WebAddress("\(scheme)://\(bucket).\(endpoint.host)\(port)\(endpoint.path)")
                ?? endpoint.appending(bucket)
        }

        /// By the rules for names of buckets ("Bucket naming rules", Amazon S3 User Guide), and the capitals of older ones.
        public static func isBucket(_ text: String) -> Bool {
            (3...63).contains(text.utf8.count) && !text.hasPrefix(".") && !text.hasPrefix("-") && !text.contains("..")
                && isPlain(text)
        }

        public static func isRegion(_ text: String) -> Bool { (1...63).contains(text.utf8.count) && isPlain(text) }

        /// Parts of letters, digits, `.`, `-` and `_` with slashes in between; may be empty.
        public static func isFolder(_ text: String) -> Bool {
            text.utf8.count <= 500
                && text.split(separator: "/").allSatisfy { isPlain($0) && $0 != "." && $0 != ".." }
        }

        private static func isPlain(_ text: some StringProtocol) -> Bool {
            text.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true  // 0-9 A-Z a-z - . _
                default: false
                }
            }
        }
    }
}
