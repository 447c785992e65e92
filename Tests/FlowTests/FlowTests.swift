import Testing
@Test func `stub Flow`() { #expect(1 + 1 == 2) }
