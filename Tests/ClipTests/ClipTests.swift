import Testing
@Test func `stub Clip`() { #expect(1 + 1 == 2) }
