internal import ChirpCore
package import Hummingbird
internal import NIOCore

/// A form with files (`multipart/form-data`, RFC 7578), as a page of this server sends it: first the token, then its fields and files.
package struct FileForm: Sendable {
    package let token: String
    /// What was typed.
    package let fields: Form
    private let parts: [String: [SentFile]]

    /// The files that a field may have.
    package struct Files: Hashable, Sendable {
        package let name: String
        package let most: Int
        /// Bytes of each.
        package let mostBytes: Int

        package init(_ name: String, most: Int = 1, mostBytes: Int) {
            (self.name, self.most, self.mostBytes) = (name, most, mostBytes)
        }
    }

    /// Why a form cannot be taken; then nothing of it was.
    package enum Refusal: Error, Hashable {
        case malformed
        /// More files than a field may have.
        case tooMany(field: String, most: Int)
        /// A file, or all that was typed, is too long.
        case tooLarge(field: String, most: Int)
    }

    /// Of the fields, files included.
    private static let mostParts = 100
    /// Of a token.
    private static let longestToken = 200

    /// The file of a form with one; nil when none was chosen.
    package var file: SentFile? { parts.values.first?.first }

    /// The files that were chosen in a field, in their order; each has bytes.
    package func files(_ name: String) -> [SentFile] { parts[name] ?? [] }

    /// Reads a form as it comes: its files go to the disk, and no more than a piece of each is in memory.
    ///
    /// - Parameters:
    ///   - request: with its boundary, and a body that was not read.
    ///   - files: the fields that have files; a file in another one is a field.
    ///   - isRight: says whether a token is this server's. It is asked before anything behind the token is read.
    /// - Throws: ``Refusal``; `HTTPError` with 403 for a token that is not right; what ``SentFile/Writing`` throws.
    package static func read(
        _ request: Request, files: [Files], into store: BodyStore, for context: WebContext,
        isRight: (String) -> Bool
    ) async throws -> FileForm {
        var reading = try Reading(request.headers[.contentType], files: files)
        for try await piece in request.body {
            try await reading.read(piece, isRight: isRight) { try store.begin(context) }
        }
        return try reading.end()
    }

    /// A form of which some has come.
    private struct Reading {
        /// A part of which some has come.
        private enum Part {
            case field(name: String, [UInt8])
            case file(Files, SentFile.Writing?)
        }

        private let files: [Files]
        private var form: MultipartReader
        private var part: Part?
        private var token: String?
        private var pairs: [(name: String, value: String)] = []
        private var found: [String: [SentFile]] = [:]
        private var typed = 0

        init(_ contentType: String?, files: [Files]) throws(Refusal) {
            self.files = files
            do throws(Problem) {
                form = try MultipartReader(contentType: contentType, mostParts: FileForm.mostParts)
            } catch {
                throw .malformed
            }
        }

        mutating func read(
            _ piece: ByteBuffer, isRight: (String) -> Bool, begin: () throws -> SentFile.Writing
        ) async throws {
            let events: [MultipartReader.Event]
            do throws(Problem) { events = try form.read(piece) } catch { throw Refusal.malformed }
            for event in events {
                switch event {
                case .part(let name, _, _): try open(name)
                case .content(let content): try await add(content, begin)
                case .endOfPart: try await close(isRight)
                }
            }
        }

        func end() throws(Refusal) -> FileForm {
            do throws(Problem) { try form.end() } catch { throw .malformed }
            guard let token else { throw .malformed }
            return FileForm(token: token, fields: Form(pairs: pairs), parts: found)
        }

        private mutating func open(_ name: String) throws(Refusal) {
            guard token != nil || name == "token" else { throw .malformed }
            if let rule = files.first(where: { $0.name == name }) {
                part = .file(rule, nil)
            } else {
                try type(name.utf8.count, in: name)
                part = .field(name: name, [])
            }
        }

        private mutating func add(_ content: ByteBuffer, _ begin: () throws -> SentFile.Writing) async throws {
            switch part {
            case .field(let name, var bytes):
                try type(content.readableBytes, in: name)
                // Not shared meanwhile, so that it grows in place.
                part = nil
                bytes.append(contentsOf: content.readableBytesView)
                part = .field(name: name, bytes)
            case .file(let rule, let writing):
                // A field without a choice comes as an empty file, which is none.
                if writing == nil, found[rule.name]?.count ?? 0 >= rule.most {
                    throw Refusal.tooMany(field: rule.name, most: rule.most)
                }
                let writing = try writing ?? begin()
                guard content.readableBytes <= rule.mostBytes - writing.count else {
                    throw Refusal.tooLarge(field: rule.name, most: rule.mostBytes)
                }
                try await writing.append(content)
                part = .file(rule, writing)
            case nil: throw Refusal.malformed
            }
        }

        private mutating func close(_ isRight: (String) -> Bool) async throws {
            switch part {
            case .field(let name, let bytes):
                let value = StreamSafeText.cut(String(decoding: bytes, as: UTF8.self))
                if token == nil {
                    guard isRight(String(value.prefix(FileForm.longestToken))) else { throw HTTPError(.forbidden) }
                    token = String(value.prefix(FileForm.longestToken))
                }
                pairs.append((name, value))
            case .file(let rule, let writing):
                if let writing {
                    found[rule.name, default: []].append(try await writing.finish())
                }
            case nil: throw Refusal.malformed
            }
            part = nil
        }

        private mutating func type(_ count: Int, in name: String) throws(Refusal) {
            typed += count
            guard typed <= Form.mostBytes else { throw .tooLarge(field: name, most: Form.mostBytes) }
        }
    }

    private init(token: String, fields: Form, parts: [String: [SentFile]]) {
        (self.token, self.fields, self.parts) = (token, fields, parts)
    }
}
