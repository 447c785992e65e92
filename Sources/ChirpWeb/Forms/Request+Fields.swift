package import ChirpCore
package import Hummingbird

extension Request {
    /// The fields of its body, whose type says how they are written. None when there is no body.
    ///
    /// - Throws: 400, 413, 415.
    package func fields(upTo most: Int = Form.mostBytes) async throws -> RequestFields {
        let bytes = try await body.collect(upTo: most).readableBytesView
        guard !bytes.isEmpty else { return RequestFields() }
        let type = (headers[.contentType] ?? "").lowercased().prefix { $0 != ";" && $0 != " " }
        switch type {
        case "application/json":
            do throws(UntrustedJSON.Fault) { return try RequestFields(json: Array(bytes)) } catch {
                throw Problem(error)
            }
        case "application/x-www-form-urlencoded":
            do throws(TooManyFields) { return RequestFields(try PercentEncoding.fields(ofForm: bytes)) } catch {
                throw Problem(error)
            }
        default: throw Problem(.unsupportedMediaType, "media-type", "JSON or a form is expected here")
        }
    }
}

extension Problem {
    /// What is wrong with JSON from outside.
    package init(_ fault: UntrustedJSON.Fault) {
        switch fault {
        case .notJSON: self.init(.badRequest, "not-understood", "This is no JSON that is understood here")
        case .tooDeep(let limit):
            self.init(.badRequest, "not-understood", "The JSON is nested too deeply", detail: "at most \(limit) deep")
        case .tooMany(let limit): self.init(tooManyFields: limit)
        case .tooLarge(let limit):
            self.init(.contentTooLarge, "too-large", "The JSON is too long", detail: "at most \(limit) bytes")
        }
    }

    /// The same of a form.
    package init(_ fault: TooManyFields) { self.init(tooManyFields: TooManyFields.most) }

    private init(tooManyFields most: Int) {
        self.init(
            .contentTooLarge, "too-many-fields", "There are more fields than any call here takes",
            detail: "at most \(most) values in all")
    }
}
