import ChirpAudio
import ChirpClips
import ChirpCore
@testable import ChirpFleet
import FoundationEssentials

/// libFuzzer's entry: any bytes as a job of a fleet, as its result, and as the subject to answer to. What passes the check is added up and shown without a care,
/// so that is done here.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzRecords(_ data: UnsafePointer<UInt8>, _ size: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: data, count: size))
    if let job = FleetJSON.decode(FleetJob.self, from: bytes), job.defect == nil {
        precondition(FleetJSON.decode(FleetJob.self, from: FleetJSON.encode(job)) == job)
    }
    if let result = FleetJSON.decode(FleetResult.self, from: bytes) {
        precondition(FleetJSON.decode(FleetResult.self, from: FleetJSON.encode(result)) == result)
        if result.defect == nil {
            switch result.outcome {
            case .made(let made): precondition((made.receipt.clip?.bytes ?? -1) >= 0)
            case .failed(let fault): precondition(!fault.error.description.isEmpty)
            }
        }
    }
    if let ticket = JobTicket(String(decoding: bytes, as: UTF8.self)) {
        precondition(ticket.sequence >= 1 && ticket.pending >= 0 && ticket.delivery >= 1)
    }
    return 0
}
