import ChirpAudio
import ChirpClips
import ChirpCore
@testable import ChirpFleet
import FoundationEssentials

/// libFuzzer's entry: any bytes as a job of a fleet and as its result. What passes the check is added up and shown without a care,
/// so that is done here.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzRecords(_ data: UnsafePointer<UInt8>, _ size: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: data, count: size))
    if let job = FleetJSON.decode(FleetJob.self, from: bytes), job.defect == nil {
        precondition(FleetJSON.decode(FleetJob.self, from: FleetJSON.encode(job)) == job)
    }
    if let result = FleetJSON.decode(FleetResult.self, from: bytes) {
        precondition(FleetJSON.decode(FleetResult.self, from: FleetJSON.encode(result)) == result)
        switch result.outcome {
        case .made(let made) where made.isPlausible:
            precondition((made.receipt.clip?.bytes ?? 0) >= 0)
        case .made: break
        case .failed(let fault): precondition(!fault.error.description.isEmpty)
        }
    }
    return 0
}
