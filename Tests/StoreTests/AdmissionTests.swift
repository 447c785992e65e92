import ChirpCore
import ChirpStores
import Testing

// W-4, CH-5: the size is compared with the room before a byte is sent.
@Suite struct AdmissionTests {
    @Test(arguments: [
        (Quota(free: ByteCount(1000)), Admission.admitted(free: ByteCount(1000))),
        (Quota(free: ByteCount(999)), .refused(needed: ByteCount(1000), free: ByteCount(999))),
        (Quota(limit: ByteCount(3000), used: ByteCount(2000)), .admitted(free: ByteCount(1000))),
        (Quota(limit: ByteCount(3000), used: ByteCount(2001)), .refused(needed: ByteCount(1000), free: ByteCount(999))),
        (Quota(limit: ByteCount(10), used: ByteCount(20)), .refused(needed: ByteCount(1000), free: ByteCount(0))),
        (Quota(unlimited: true), .admitted(free: nil)),
        (Quota(), .unknown),
        (Quota(limit: ByteCount(5)), .unknown),
        (Quota(used: ByteCount(5)), .unknown),
    ])
    func `1000 bytes are admitted by what the store knows`(quota: Quota, expected: Admission) {
        #expect(Admission(needed: ByteCount(1000), quota: quota) == expected)
    }

    @Test func `sizes that a sum or difference cannot hold are the nearest that it can`() {
        let (least, most) = (ByteCount(Int64.min), ByteCount(Int64.max))
        #expect(most + most == most && least + least == least && most - least == most && least - most == least)
        #expect(most - most == ByteCount(0) && most + least == ByteCount(-1) && ByteCount(0) - least == most)
        let quota = Quota(limit: most, used: least)
        #expect(Admission(needed: ByteCount(1), quota: quota) == .admitted(free: most))
        let over = Quota(limit: least, used: most)
        #expect(Admission(needed: most, quota: over) == .refused(needed: most, free: ByteCount(0)))
    }

    @Test func `a refusal names both numbers`() {
        let admission = Admission(needed: ByteCount(1000), quota: Quota(free: ByteCount(999)))
        let error = #expect(throws: StoreError.self) { try admission.check() }
        #expect(error?.whatHappened.contains("1000 bytes") == true)
        #expect(error?.whatHappened.contains("999 bytes") == true)
        #expect(error?.exitCode == .noRoom)
    }
}
