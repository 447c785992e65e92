internal import ChirpCore
internal import ChirpHTTP

extension S3Bucket {
    /// Why the service refused, by status and `Code` ("Error responses", Amazon S3 API Reference).
    ///
    /// - Parameters:
    ///   - id: what was asked for; names what is missing.
    ///   - needed: what was being stored.
    func refusal(_ response: HTTPResponse, id: StoredObject.ID? = nil, needed: ByteCount? = nil) -> StoreError {
        let answer = S3Answer(response.body).flatMap { $0.name == "Error" ? $0 : nil }
        return refusal(response, code: answer?["Code"] ?? "", answer, id: id, needed: needed)
    }

    private func refusal(
        _ response: HTTPResponse, code: String, _ answer: S3Answer?, id: StoredObject.ID?, needed: ByteCount?
    ) -> StoreError {
        let detail = answer?["Message"] ?? "no reason was given"
        switch code {
        case "InvalidAccessKeyId", "SignatureDoesNotMatch", "InvalidToken", "ExpiredToken", "TokenRefreshRequired",
            "InvalidSecurity", "NotSignedUp":
            return .signedOut(store: "s3", cause: "the service does not accept the keys (\(code))")
        case "RequestTimeTooSkewed":
            return .refused(status: response.status, detail: "this machine's clock and the service's differ too much")
        case "NoSuchBucket":
            return .refused(status: response.status, detail: "there is no bucket '\(settings.bucket)'")
        case "AuthorizationHeaderMalformed", "PermanentRedirect", "IllegalLocationConstraintException":
            let region = answer?["Region"] ?? response.headers["x-amz-bucket-region"]
            return .refused(
                status: response.status,
                detail: region.map { "the bucket '\(settings.bucket)' is in the region '\($0)'" } ?? detail)
        case "QuotaExceeded", "XMinioStorageFull", "XMinioAdminBucketQuotaExceeded", "InsufficientStorage":
            if let needed { return .full(needed: needed, free: nil) }
        case "BadDigest", "XAmzContentSHA256Mismatch", "IncompleteBody", "RequestTimeout":
            // Reading the file again tells whether it was changed meanwhile.
            return .unreachable("a part of the clip was damaged or lost on the way (\(code))")
        case "SlowDown", "InternalError", "ServiceUnavailable", "OperationAborted", "ConditionalRequestConflict",
            "TemporaryRedirect":
            return .busy(retryAfter: response.retryAfter(now: now()))
        default: break
        }
        switch response.status {
        case 401: return .signedOut(store: "s3", cause: "the service does not accept the keys")
        case 403: return .forbidden(detail)
        case 404: if let id { return .missing(id) }
        case 307, 408, 409, 425, 429, 500, 502, 503, 504: return .busy(retryAfter: response.retryAfter(now: now()))
        case 413, 507: if let needed { return .full(needed: needed, free: nil) }
        default: break
        }
        return .refused(status: response.status, detail: code.isEmpty ? detail : "\(detail) (\(code))")
    }
}
