package import ChirpAccounts
package import FoundationEssentials
internal import GRDB

/// A picture of something that is listed: three JPEGs of one picture, made by this program and never what somebody has sent.
package struct HubPicture: Hashable, Sendable {
    /// How large a file is: its longer side is 320, 800 or 1600 pixels, or that of what was sent where that is less.
    package enum Size: String, Hashable, Sendable, CaseIterable { case small, medium, large }

    package let id: HubID
    package let owner: AccountID
    /// Of the large file, in pixels.
    package let width, height: Int
    /// Of all three files.
    package let bytes: Int64
    package let print: PicturePrint
    package let created: Date
}

/// What a picture is to be of: as a child that decodes has made it.
package struct NewPicture: Hashable, Sendable {
    package struct File: Hashable, Sendable {
        package let jpeg: [UInt8]
        /// In pixels.
        package let width, height: Int

        package init(jpeg: [UInt8], width: Int, height: Int) {
            (self.jpeg, self.width, self.height) = (jpeg, width, height)
        }
    }

    package let small, medium, large: File
    package let print: PicturePrint

    package init(small: File, medium: File, large: File, print: PicturePrint) {
        (self.small, self.medium, self.large, self.print) = (small, medium, large, print)
    }

    func file(_ size: HubPicture.Size) -> File {
        switch size {
        case .small: small
        case .medium: medium
        case .large: large
        }
    }
}

extension HubPicture {
    /// Nil for a row that makes no sense.
    init?(row: Row) {
        guard let id = HubID(row["id"] as String),
            let print = PicturePrint(digits: row["print"], quality: row["quality"])
        else { return nil }
        self.init(
            id: id, owner: row["owner"], width: row["width"], height: row["height"], bytes: row["bytes"], print: print,
            created: HubLibrary.date(row["created"]))
    }
}
