internal import ChirpCommunity
internal import Hummingbird
internal import ChirpWeb

/// Answers on threads that may wait for the library's disk.
struct MayWait: RouterMiddleware {
    let library: HubLibrary

    func handle(
        _ request: Request, context: WebContext, next: @concurrent (Request, WebContext) async throws -> Response
    ) async throws -> Response {
        try await withTaskExecutorPreference(library.threads) { try await next(request, context) }
    }
}
