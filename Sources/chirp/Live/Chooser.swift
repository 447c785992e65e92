import ChirpCore

/// A list to choose from by keys: alphabetical, paged, searched by typing, with check marks. Pure: keys in, lines out.
///
/// Up and down move, left and right turn pages, typing searches, Backspace takes a letter back, space marks, Enter takes,
/// Escape gives up. Nothing depends on colour or on a mouse (CH-13).
struct Chooser<ID: Hashable & Sendable>: Sendable {
    struct Item: Sendable {
        let id: ID
        /// One line, made safe to show.
        let label: String
    }

    enum Outcome: Sendable {
        /// In the order of the list.
        case chosen([ID])
        case givenUp
    }

    let title: String
    /// Several can be marked; otherwise Enter takes the one the cursor is on.
    let takesSeveral: Bool
    private let items: [Item]
    private var marked: Set<ID>
    private var search = ""
    private var cursor = 0
    /// Why Enter was refused.
    private var problem = ""
    private let rows: Int

    /// - Parameters:
    ///   - items: in the order in which they are shown.
    ///   - rows: per page.
    init(title: String, items: [Item], marked: Set<ID> = [], takesSeveral: Bool, rows: Int) {
        self.title = title
        self.items = items
        self.marked = marked
        self.takesSeveral = takesSeveral
        self.rows = max(1, rows)
    }

    private var found: [Item] {
        search.isEmpty ? items : items.filter { $0.label.lowercased().contains(search) }
    }

    /// - Returns: nil while the choice goes on.
    mutating func take(_ key: Key) -> Outcome? {
        let found = found
        problem = ""
        switch key {
        case .up: cursor = max(0, cursor - 1)
        case .down: cursor = min(max(0, found.count - 1), cursor + 1)
        case .left, .pageUp: cursor = max(0, cursor - rows)
        case .right, .pageDown: cursor = min(max(0, found.count - 1), cursor + rows)
        case .home: cursor = 0
        case .end: cursor = max(0, found.count - 1)
        case .character(" ") where takesSeveral:
            guard found.indices.contains(cursor) else { return nil }
            let id = found[cursor].id
            if marked.remove(id) == nil { marked.insert(id) }
        case .character(let character):
            guard search.count < 40 else { return nil }
            search += character.lowercased()
            cursor = 0
        case .backspace:
            search = String(search.dropLast())
            cursor = 0
        case .enter:
            if takesSeveral {
                guard marked.isEmpty else { return .chosen(items.map(\.id).filter(marked.contains)) }
                problem = "nobody is marked: space marks"
                return nil
            }
            guard found.indices.contains(cursor) else { return nil }
            return .chosen([found[cursor].id])
        case .escape: return .givenUp
        case .tab: break
        }
        return nil
    }

    /// What to show now, without control sequences; the same number of lines every time.
    var lines: [String] {
        let found = found
        let page = cursor / rows
        let pages = max(1, (found.count + rows - 1) / rows)
        var head = "\(title)   page \(page + 1) of \(pages)"
        if !search.isEmpty { head += "   search: \(search)" }
        if !problem.isEmpty { head += "   \(problem)" }
        var lines = [head]
        for row in 0..<rows {
            let index = page * rows + row
            guard index < found.count else {
                lines.append(row == 0 && found.isEmpty ? "    nobody is called like that" : "")
                continue
            }
            let item = found[index]
            let mark = takesSeveral ? (marked.contains(item.id) ? "[x] " : "[ ] ") : ""
            lines.append("\(index == cursor ? " >" : "  ") \(mark)\(item.label)")
        }
        let marks = takesSeveral ? "space mark (\(marked.count))  " : ""
        lines.append("type to search  up/down  left/right page  \(marks)Enter take  Esc back")
        return lines
    }
}
