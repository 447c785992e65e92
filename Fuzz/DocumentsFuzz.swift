import ChirpCore
@testable import ChirpStores

/// libFuzzer's entry: any bytes as a WebDAV server's XML. Reading ends, with numbers that are none below zero, or with a fault.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzDocuments(_ data: UnsafePointer<UInt8>, _ size: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: data, count: size))
    let properties = DAVProperties(bytes)
    precondition((properties.contentLength ?? 0) >= 0)
    precondition((properties.quota.used?.bytes ?? 0) >= 0 && (properties.quota.free?.bytes ?? 0) >= 0)
    var reader = XMLReader(bytes)
    var depth = 0
    do throws(XMLReader.Fault) {
        while let event = try reader.next() {
            switch event {
            case .start: depth += 1
            case .end: depth -= 1
            case .text: break
            }
            precondition(depth >= 0)
        }
        precondition(depth == 0)
    } catch {
        precondition(error.offset <= bytes.count && !error.reason.isEmpty)
    }
    return 0
}
