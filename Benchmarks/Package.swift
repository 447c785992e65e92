// swift-tools-version: 6.2
import PackageDescription

/// One executable a subject. A package of its own, so that nobody who builds Chirp builds the benchmark library.
func benchmarks(_ name: String) -> Target {
    .executableTarget(
        name: name,
        dependencies: [
            "Support",
            .product(name: "Benchmark", package: "benchmark"),
            .product(name: "ChirpEngine", package: "chirp"),
        ],
        path: "Benchmarks/\(name)", swiftSettings: [.treatAllWarnings(as: .error)],
        plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")])
}

let package = Package(
    name: "chirp-benchmarks",
    dependencies: [
        .package(name: "chirp", path: ".."),
        // Without its malloc counter, which replaces the allocator and with it what is measured.
        .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.0", traits: []),
    ],
    targets: [
        .target(
            name: "Support", dependencies: [.product(name: "ChirpEngine", package: "chirp")], path: "Support",
            swiftSettings: [.treatAllWarnings(as: .error)]),
        .executableTarget(
            name: "Instructions",
            dependencies: ["Support", .product(name: "ChirpEngine", package: "chirp")],
            path: "Instructions", swiftSettings: [.treatAllWarnings(as: .error)]),
        benchmarks("Kernels"),
        benchmarks("Encode"),
        benchmarks("Size"),
        benchmarks("Latency"),
    ],
    swiftLanguageModes: [.v6]
)
