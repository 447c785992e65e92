import ChirpCore
import ChirpWeb
import Hummingbird
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing

/// What one network has in hand leaves room for others, however many connections and streams it has.
@Suite struct RequestsInFlightTests {
    private let busy = "192.0.2.1"

    private func limits(requests: Int = 64, working: Int = 4) -> ConnectionLimits {
        var limits = ConnectionLimits()
        (limits.requestsPerAddress, limits.workingPerAddress) = (requests, working)
        return limits
    }

    @Test func `a busy network waits in its own queue, and another is served beside it`() async throws {
        let scene = AnswerScene(limits(working: 2))
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<10 {
                let channel = try await scene.stream(busy)
                group.addTask { try await scene.ask(on: channel) }
            }
            while scene.shares.requests.working.waiting < 8 { await Task.yield() }
            #expect(scene.handlers.begun == 2)
            let other = try await scene.stream("192.0.2.2")
            group.addTask { try await scene.ask(on: other) }
            while scene.handlers.begun < 3 { await Task.yield() }
            scene.handlers.open()
            for try await status in group { #expect(status == 200) }
        }
        #expect(scene.shares.requests.count == 0 && scene.shares.requests.working.count == 0)
    }

    @Test func `a network has so many in hand and no more, and assets beside them`() async throws {
        let scene = AnswerScene(limits(requests: 3))
        let waiting = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<3 {
                let channel = try await scene.stream(busy)
                group.addTask { try await scene.ask(on: channel) }
            }
            while scene.handlers.begun < 3 { await Task.yield() }
            for _ in 0..<20 {
                let status = try await scene.ask(on: try await scene.stream(busy))
                #expect(status == 429)
            }
            let asset = try await scene.stream(busy)
            group.addTask { try await scene.ask(on: asset, path: "/assets/chirp.css") }
            while scene.handlers.begun < 4 { await Task.yield() }
            scene.handlers.open()
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(waiting == [200, 200, 200, 200])
        let status = try await scene.ask(on: try await scene.stream(busy))
        #expect(status == 200)
        #expect(scene.shares.requests.count == 0)
    }

    @Test func `whoever sends a form slowly keeps no neighbour waiting, and is worked for in turn`() async throws {
        let scene = AnswerScene(limits(working: 1))
        try await withThrowingTaskGroup(of: Int.self) { group in
            let (body, sender) = AsyncStream<ByteBuffer>.makeStream()
            sender.yield(ByteBuffer(string: "a="))
            let slow = try await scene.stream(busy)
            group.addTask { try await scene.ask(on: slow, form: Hummingbird.RequestBody(asyncSequence: body)) }
            while scene.shares.requests.count < 1 { await Task.yield() }
            let page = try await scene.stream(busy)
            group.addTask { try await scene.ask(on: page) }
            while scene.handlers.begun < 1 { await Task.yield() }
            // Now the page has the turn.
            sender.finish()
            while scene.shares.requests.working.waiting < 1 { await Task.yield() }
            #expect(scene.handlers.begun == 1)
            scene.handlers.open()
            for try await status in group { #expect(status == 200) }
        }
        #expect(scene.shares.requests.count == 0 && scene.shares.requests.working.count == 0)
    }

    @Test func `files that are waiting to be taken leave pages and programs their share`() async throws {
        let scene = AnswerScene(limits(requests: 2))
        try await withThrowingTaskGroup(of: Int.self) { group in
            for path in ["/media/a.mp3", "/films/a.mp4"] {
                let channel = try await scene.stream(busy)
                group.addTask { try await scene.ask(on: channel, path: path) }
            }
            while scene.handlers.begun < 2 { await Task.yield() }
            let third = try await scene.ask(on: try await scene.stream(busy), path: "/pictures/a.jpg")
            #expect(third == 429)
            scene.handlers.open()
            for path in ["/about", "/sw.js"] {
                let status = try await scene.ask(on: try await scene.stream(busy), path: path)
                #expect(status == 200)
            }
            for try await status in group { #expect(status == 200) }
        }
    }

    @Test func `who leaves is still counted while they are worked for, and not worked for while they wait`()
        async throws
    {
        let scene = AnswerScene(limits(requests: 3, working: 1))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<3 {
                let channel = try await scene.stream(busy)
                group.addTask { _ = try? await scene.ask(on: channel) }
                while scene.shares.requests.count <= number { await Task.yield() }
                if number == 0 { while scene.handlers.begun == 0 { await Task.yield() } }
                try await channel.close()
                await channel.testingEventLoop.run()
            }
            #expect(scene.shares.requests.count == 3)
            let status = try await scene.ask(on: try await scene.stream(busy))
            #expect(status == 429)
            scene.handlers.open()
            try await group.waitForAll()
        }
        #expect(scene.handlers.begun == 1)
        #expect(scene.shares.requests.count == 0)
    }

    @Test func `an answer counts until it was taken or its stream has ended`() async throws {
        let scene = AnswerScene(limits(requests: 2))
        scene.handlers.open()
        let windows = [ShutWindow(), ShutWindow()]
        var channels: [NIOAsyncTestingChannel] = []
        for window in windows {
            let channel = try await scene.stream(busy, window: window)
            let status = try await scene.ask(on: channel)
            #expect(status == 200)
            channels.append(channel)
        }
        #expect(scene.shares.requests.count == 2)
        let refused = try await scene.ask(on: try await scene.stream(busy))
        #expect(refused == 429)
        windows[0].take()
        await channels[0].testingEventLoop.run()
        #expect(scene.shares.requests.count == 1)
        try await channels[1].close()
        await channels[1].testingEventLoop.run()
        #expect(scene.shares.requests.count == 0)
    }

    @Test func `a proxy that does not say whose requests they are is not one network`() async throws {
        let proxies = TrustedProxies([try #require(AddressBlock("192.0.2.1"))])
        let scene = AnswerScene(limits(requests: 1, working: 1), proxies: proxies)
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<10 {
                let channel = try await scene.stream(busy)
                group.addTask { try await scene.ask(on: channel) }
            }
            while scene.handlers.begun < 10 { await Task.yield() }
            scene.handlers.open()
            for try await status in group { #expect(status == 200) }
        }
    }
}
