// swift-tools-version: 6.2
import PackageDescription

/// One executable a subject. A package of its own, so that nobody who builds Chirp builds the benchmark library.
func benchmarks(_ name: String) -> Target {
    .executableTarget(
        name: name,
        dependencies: [
            .product(name: "Benchmark", package: "benchmark"),
            .product(name: "BenchmarkSupport", package: "chirp"),
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
        benchmarks("Kernels"),
        benchmarks("Encode"),
        benchmarks("Size"),
        benchmarks("Latency"),
    ],
    swiftLanguageModes: [.v6]
)
