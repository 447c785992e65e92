import NIOCore

extension TestResponse {
    /// Whether two answers say the same, but for what is new in each: keys and tokens of forms.
    func isLike(_ other: TestResponse?) -> Bool {
        guard let other, status == other.status, location == other.location else { return false }
        return body == other.body || lasting == other.lasting
    }

    /// The body with a star for each run of twenty letters, digits and hyphens or more.
    private var lasting: [UInt8] {
        var (text, run): ([UInt8], [UInt8]) = ([], [])
        func end() {
            text += run.count >= 20 ? [UInt8(ascii: "*")] : run
            run = []
        }
        for byte in Array(body.readableBytesView) {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                run.append(byte)
            default:
                end()
                text.append(byte)
            }
        }
        end()
        return text
    }
}
