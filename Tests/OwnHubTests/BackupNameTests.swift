import ChirpOwnHub
import Foundation
import Testing

/// Names of backups in stores.
@Suite struct BackupNameTests {
    @Test(arguments: [
        (1_795_662_000.0, "hub-20261126T030000Z.tar"), (0.0, "hub-19700101T000000Z.tar"),
        (951_782_399.9, "hub-20000228T235959Z.tar"), (-1.5, "hub-19691231T235958Z.tar"),
        (1e300, "hub-99991231T235959Z.tar"), (-1e300, "hub-00010101T000000Z.tar"),
    ])
    func `a name is made from the second, and read again`(seconds: Double, text: String) throws {
        let name = BackupName(Date(timeIntervalSince1970: seconds))
        #expect(name.text == text)
        #expect(try #require(BackupName(text)) == name)
    }

    @Test func `names sort by time`() {
        let times = [0, 59, 60, 3600, 86_399, 86_400, 1e9, 1_795_662_000, 4e9].map { Date(timeIntervalSince1970: $0) }
        #expect(times.reversed().map { BackupName($0) }.sorted() == times.map { BackupName($0) })
    }

    @Test(arguments: [
        "", "hub.tar", "hub-.tar", "hub-20261126T030000Z.tar ", "hub-20261126T030000Z.TAR", "hub-20261326T030000Z.tar",
        "hub-20261126T240000Z.tar", "hub-20261126T030060Z.tar", "hub-20260231T030000Z.tar", "hub-00001126T030000Z.tar",
        "hub-2026112٣T030000Z.tar", "hub-+0261126T030000Z.tar", "../20261126T030000Z.tar", "Hub-20261126T030000Z.tar",
        "hub-20261126 030000Z.tar",
    ])
    func `nothing else is a name`(text: String) {
        #expect(BackupName(text) == nil)
    }
}
