import Testing
@Test func `stub Hub`() { #expect(1 + 1 == 2) }
