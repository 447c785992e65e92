import Foundation

/// Numbers at which programs fail that compute with them unasked: ends of 32, 53 and 64 bits with their neighbours, signs, fractions that
/// are none, and more digits than anything holds.
enum ExtremeNumbers {
    static let all: [String] =
        [
            "9223372036854775807", "9223372036854775806", "9223372036854775808", "-9223372036854775808",
            "-9223372036854775807", "-9223372036854775809", "18446744073709551615", "18446744073709551616",
            "2147483647", "2147483646", "2147483648", "-2147483648", "-2147483647", "-2147483649", "4294967295",
            "4294967296", "9007199254740991", "9007199254740993", "-1", "0", "1", "1e308", "-1e308", "1e309", "NaN",
            "inf",
            "5e-324", "-0",
        ] + [String(repeating: "9", count: 400)]

    /// What the numeric fields of queries are called, declared or not.
    static let names = [
        "before", "after", "max_id", "min_id", "since_id", "limit", "within", "version", "zoom", "at", "box", "near",
        "pin", "size", "placeId", "from", "to", "key", "maxwidth", "maxheight", "offset", "question",
    ]
    /// Those of them that say where a list goes on.
    static let cursors: Set = ["before", "after", "max_id", "min_id", "since_id"]

    /// A number as a field of that name has it: places are of several.
    static func value(_ number: String, of name: String) -> String {
        switch name {
        case "at", "near", "pin": "\(number),\(number)"
        case "box": "\(number),\(number),\(number),\(number)"
        case "size": "\(number)x\(number)"
        default: number
        }
    }

    /// A number in JSON, as itself where JSON has such numbers.
    static func json(_ number: String) -> String {
        let isJSON = number.wholeMatch(of: #/-?(0|[1-9][0-9]*)(e-?[0-9]+)?/#) != nil
        return isJSON ? number : "\"\(number)\""
    }
}
