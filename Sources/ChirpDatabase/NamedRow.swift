package import GRDB

/// A row of many whose columns are found by their names at once. A row by itself compares its names one by one, in lower case, and a page of
/// items asks for seven hundred values: a twentieth of its time went there.
package struct NamedRow {
    package let row: Row
    private let places: [String: Int]

    /// A row by itself.
    package init(_ row: Row) { self.init(row, [:]) }

    private init(_ row: Row, _ places: [String: Int]) { (self.row, self.places) = (row, places) }

    /// Rows of one statement.
    package static func all(_ rows: [Row]) -> [NamedRow] {
        guard let first = rows.first else { return [] }
        // Of two columns of one name the first counts, as with a row by itself.
        let places = Dictionary(zip(first.columnNames, 0...)) { first, _ in first }
        return rows.map { NamedRow($0, places) }
    }

    package subscript<Value: DatabaseValueConvertible>(_ name: String) -> Value {
        guard let place = places[name] else { return row[name] }
        return row[place]
    }

    // What most columns are, read without asking at each value how its type is read.

    package subscript(_ name: String) -> Int64 { value(name) { row[$0] } }
    package subscript(_ name: String) -> Int64? { value(name) { row[$0] } }
    package subscript(_ name: String) -> Int { value(name) { row[$0] } }
    package subscript(_ name: String) -> Bool { value(name) { row[$0] } }
    package subscript(_ name: String) -> Double? { value(name) { row[$0] } }
    package subscript(_ name: String) -> String { value(name) { row[$0] } }
    package subscript(_ name: String) -> String? { value(name) { row[$0] } }

    private func value<Value: DatabaseValueConvertible>(_ name: String, at place: (Int) -> Value) -> Value {
        places[name].map(place) ?? row[name]
    }
}
