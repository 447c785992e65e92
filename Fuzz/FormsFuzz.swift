import ChirpCore
@testable import ChirpWeb
import Glibc
import NIOCore

/// libFuzzer's entry: any bytes as the body of a form, of a form with files and of a JSON object, and as a query with the numbers of its fields. Reading
/// ends, within the bounds that are stated, and takes no more of a processor than its length allows.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzForms(_ data: UnsafePointer<UInt8>, _ size: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: data, count: size))
    within(size) {
        if let form = try? Form(bytes) { precondition(form.list("a").count <= TooManyFields.most) }
    }
    within(size) {
        guard let fields = try? RequestFields(json: bytes) else { return }
        precondition(fields.names.count <= TooManyFields.most)
        for name in fields.names { look(at: fields, name) }
    }
    within(size) {
        let pairs = PercentEncoding.fields(of: String(decoding: bytes, as: UTF8.self))
        let fields = RequestFields(pairs)
        for pair in pairs { look(at: fields, pair.name) }
    }
    within(size) {
        // In pieces, as it comes from the network: what is content is no more than what came.
        for type in ["multipart/form-data; boundary=b", String(decoding: bytes.prefix(200), as: UTF8.self)] {
            guard var reader = try? MultipartReader(contentType: type, mostParts: 100) else { continue }
            var content = 0
            for start in stride(from: 0, to: bytes.count, by: 97) {
                guard let events = try? reader.read(ByteBuffer(bytes: bytes[start..<min(start + 97, bytes.count)]))
                else { break }
                for case .content(let piece) in events { content += piece.readableBytes }
            }
            precondition(content <= bytes.count)
        }
    }
    return 0
}

/// A field as text, as truth and as the numbers that cursors are made of.
private func look(at fields: RequestFields, _ name: String) {
    let text = fields[name] ?? ""
    _ = (fields.bool(name), Int64(text), Double(text))
}

/// As the tests have it, with room for what the sanitizers cost; input of a page has a page's time.
private func within(_ size: Int, _ body: () -> Void) {
    let most = 0.02 * Double(max(size, 4096)) / 65_536 * 30
    precondition((0..<3).contains { _ in time(body) <= most }, "it takes longer than its length allows")
}

private func time(_ body: () -> Void) -> Double {
    var (begin, end) = (timespec(), timespec())
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin)
    body()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end)
    return Double(end.tv_sec - begin.tv_sec) + Double(end.tv_nsec - begin.tv_nsec) / 1e9
}
