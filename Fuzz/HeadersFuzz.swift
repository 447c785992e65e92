import ChirpCore
@testable import ChirpHTTP
@testable import ChirpNetworks
@testable import ChirpStores
@testable import ChirpWeb
import FoundationEssentials

/// libFuzzer's entry: any text as the fields of HTTP that carry numbers, ranges, dates and addresses.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzHeaders(_ data: UnsafePointer<UInt8>, _ size: Int) -> CInt {
    let text = String(decoding: UnsafeBufferPointer(start: data, count: size), as: UTF8.self)
    let now = Date(timeIntervalSince1970: 1_800_000_000)
    for status in [200, 429, 503] {
        for name in ["Retry-After", "x-rate-limit-reset", "X-RateLimit-Reset"] {
            let response = HTTPResponse(status: status, headers: [name: text, "Link": text])
            if let wait = response.retryAfter(now: now) {
                precondition((.zero ... .seconds(31 * 86_400)).contains(wait))
            }
            guard let page = WebAddress("https://a.example/b?c") else { continue }
            if let next = LinkHeader.address("next", in: response, of: page) {
                precondition(next.origin == page.origin)
            }
        }
    }
    for size in [0, 1, 1000, Int64.max] {
        switch ByteRange(text, size: size) {
        case .part(let range): precondition(!range.isEmpty && range.lowerBound >= 0 && range.upperBound <= size)
        case .whole, .unsatisfiable: break
        }
        // What begins right is where the numbers are.
        if case .part(let range) = ByteRange("bytes=" + text, size: size) {
            precondition(!range.isEmpty && range.upperBound <= size)
        }
    }
    for text in [text, "bytes " + text] {
        if let range = ContentRange(text) {
            precondition(range.first >= 0 && range.last >= range.first && range.total.map { $0 > range.last } ?? true)
        }
    }
    precondition(ConfirmedRange.bytes(text) >= 0 && ConfirmedRange.bytes("bytes=0-" + text) >= 0)
    if let date = HTTPDate.parse(text) ?? InstantText.parse(text) { _ = InstantText.format(date) }
    precondition(PercentEncoding.decode(PercentEncoding.encode(text)) == text)
    _ = PercentEncoding.fields(of: text)
    var headers = HTTPHeaders()
    headers.append(text, for: "a")
    precondition(headers.fields.allSatisfy { !$0.value.utf8.contains { $0 == 0x0A || $0 == 0x0D || $0 == 0 } })
    return 0
}
