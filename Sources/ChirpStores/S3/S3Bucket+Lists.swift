internal import ChirpCore
internal import ChirpFiles
internal import ChirpHTTP
internal import FoundationEssentials

// Lists, which come in pages of a thousand entries.
extension S3Bucket {
    /// An upload that is neither complete nor given up.
    struct Begun: Hashable, Sendable {
        let key: String
        let upload: String
        /// Nil when the service does not say.
        let since: Date?
    }

    /// A thousand pages; beyond that the marks are going in a circle, or it is no bucket for clips.
    private static let mostPages = 1000

    /// The size of everything in the folder that looks like an object of this store.
    ///
    /// - Parameter limit: nil for all; otherwise no more entries than this are looked at.
    @discardableResult
    func list(limit: Int? = nil) async throws(StoreError) -> ByteCount {
        let first = settings.bucketAddress.adding([
            "list-type": "2", "max-keys": String(limit ?? 1000), "prefix": settings.keyPrefix,
        ])
        var used = ByteCount(0)
        var address = first
        for _ in 0..<Self.mostPages {
            let page = try await ask(address, for: "ListBucketResult")
            for entry in page.all("Contents") where entry["Key"].flatMap({ id(ofKey: $0) }) != nil {
                used += entry["Size"].flatMap { ByteCount(decimal: $0) } ?? ByteCount(0)
            }
            guard limit == nil, page["IsTruncated"] == "true", let next = page["NextContinuationToken"], !next.isEmpty
            else { return used }
            address = first.adding(["continuation-token": next])
        }
        throw .refused(status: 200, detail: "the list of the bucket '\(settings.bucket)' has no end")
    }

    /// The objects of this store whose names begin so.
    func ids(beginningWith prefix: String) async throws(StoreError) -> [StoredObject.ID] {
        let first = settings.bucketAddress.adding([
            "list-type": "2", "max-keys": "1000", "prefix": settings.keyPrefix + prefix,
        ])
        var found: [StoredObject.ID] = []
        var address = first
        for _ in 0..<Self.mostPages {
            let page = try await ask(address, for: "ListBucketResult")
            found += page.all("Contents").compactMap { $0["Key"].flatMap { id(ofKey: $0) } }
                .filter { $0.text.hasPrefix(prefix) }
            try StoredObject.checkListed(found.count)
            guard page["IsTruncated"] == "true", let next = page["NextContinuationToken"], !next.isEmpty
            else { return found }
            address = first.adding(["continuation-token": next])
        }
        throw .refused(status: 200, detail: "the list of the bucket '\(settings.bucket)' has no end")
    }

    /// The uploads of this store that are neither complete nor given up.
    ///
    /// - Parameter id: of one object alone; nil for all.
    func begun(_ id: StoredObject.ID? = nil) async throws(StoreError) -> [Begun] {
        let first = settings.bucketAddress.adding(["uploads": "", "prefix": id.map { key($0) } ?? settings.keyPrefix])
        var found: [Begun] = []
        var address = first
        for _ in 0..<Self.mostPages {
            let response = try await send(HTTPRequest(.get, address, sink: .memory(limit: 4 << 20)))
            // Some services answer so when there are none.
            if response.status == 404 { return found }
            guard response.isSuccess else { throw refusal(response) }
            let page = try read(response, "ListMultipartUploadsResult")
            for entry in page.all("Upload") {
                guard let key = entry["Key"], let upload = entry["UploadId"], let owner = self.id(ofKey: key),
                    id == nil || id == owner
                else { continue }
                found.append(
                    Begun(key: key, upload: upload, since: entry["Initiated"].flatMap { InstantText.parse($0) }))
            }
            guard page["IsTruncated"] == "true", let key = page["NextKeyMarker"],
                let upload = page["NextUploadIdMarker"]
            else { return found }
            address = first.adding(["key-marker": key, "upload-id-marker": upload])
        }
        return found
    }

    /// The tags of the parts that an upload has, by number, as far as their size is that of the file's; nil when it is over.
    func parts(of upload: String, _ id: StoredObject.ID, _ wanted: [S3Part]) async throws(StoreError) -> [Int: String]?
    {
        let first = address(id).adding(["uploadId": upload])
        var found: [Int: String] = [:]
        var address = first
        for _ in 0..<Self.mostPages {
            let response = try await send(HTTPRequest(.get, address, sink: .memory(limit: 4 << 20)))
            if response.status == 404 { return nil }
            guard response.isSuccess else { throw refusal(response) }
            let page = try read(response, "ListPartsResult")
            for entry in page.all("Part") {
                guard let number = entry["PartNumber"].flatMap({ Int($0) }), wanted.indices.contains(number - 1),
                    entry["Size"] == String(wanted[number - 1].count), let tag = entry["ETag"], Self.isTag(tag)
                else { continue }
                found[number] = tag
            }
            guard page["IsTruncated"] == "true", let next = page["NextPartNumberMarker"] else { return found }
            address = first.adding(["part-number-marker": next])
        }
        return found
    }

    /// Whether a text can be the tag of a part (RFC 9110 section 8.8.3), which is handed back.
    static func isTag(_ text: String) -> Bool {
        (1...200).contains(text.utf8.count)
            && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x3C && $0 != 0x26 }
    }

    /// Refuses a file that is not what was stored.
    static func verify(_ path: String, _ object: Object) throws(StoreError) {
        guard let sha256 = object.sha256 else { return }
        let found: FileDigest
        do throws(FileError) { found = try FileDigest.reading(path) } catch { throw error.asStoreError() }
        guard found.sha256 == sha256 else { throw .unreachable("the clip arrived damaged") }
    }
}
