import Testing
@Test func `stub Journal`() { #expect(1 + 1 == 2) }
