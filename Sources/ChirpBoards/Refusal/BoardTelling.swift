internal import ChirpCommunity
package import ChirpWeb
package import Hummingbird

/// How a board tells what went wrong: people by a page of it, programs by a problem in English.
package struct BoardTelling: Sendable {
    /// A page that says one thing, with the way back to the board.
    package typealias Page = @Sendable (_ title: String, _ text: HTML) -> HTML

    private let page: Page
    private let refused: @Sendable () -> String
    private let gone: @Sendable (ItemGone) -> (title: String, text: HTML, problem: Problem)
    private let refusal: @Sendable (any Error) -> (any BoardRefusal)?

    /// - Parameters:
    ///   - refused: the title of what says why something was not done, in the visitor's language.
    ///   - gone: what is said of something that was there.
    ///   - refusal: the board's own, also of what the core refuses; nil for any other error.
    package init(
        page: @escaping Page, refused: @escaping @Sendable () -> String,
        gone: @escaping @Sendable (ItemGone) -> (title: String, text: HTML, problem: Problem),
        refusal: @escaping @Sendable (any Error) -> (any BoardRefusal)?
    ) {
        self.page = page
        self.refused = refused
        self.gone = gone
        self.refusal = refusal
    }

    /// Answers, or tells what went wrong.
    package func answering(_ request: Request, _ answer: () async throws -> Response) async throws -> Response {
        guard request.isForProgram else { return try await answeringPeople(answer) }
        return try await Language.$current.withValue(.english) {
            do { return try await answer() } catch let item as ItemGone {
                throw gone(item).problem
            } catch {
                throw refusal(error).map { $0.problem as any Error } ?? error
            }
        }
    }

    private func answeringPeople(_ answer: () async throws -> Response) async throws -> Response {
        do { return try await answer() } catch let item as ItemGone {
            let said = gone(item)
            return told(said.title, said.text, .gone)
        } catch let problem as Problem {
            if problem.status == .notFound { throw HTTPError(.notFound) }
            return told(refused(), "<p>\(problem.detail ?? problem.title).</p>", problem.status, problem.retryAfter)
        } catch {
            guard let refusal = refusal(error) else { throw error }
            let status = refusal.status
            if status == .notFound || status.kind == .serverError { throw HTTPError(status) }
            return told(refused(), "<p>\(refusal.sentence).</p>", status, refusal.wait)
        }
    }

    private func told(
        _ title: String, _ text: HTML, _ status: HTTPResponse.Status, _ wait: Int? = nil
    ) -> Response {
        var answer = Response.page(page(title, text), status: status).personal
        if let wait { answer.headers[.retryAfter] = "\(wait)" }
        return answer
    }
}
