// swift-tools-version: 6.2
import PackageDescription

/// One set of rules for every module: explicit imports, explicit existentials, no warnings.
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
    // A section for each function, public ones too, so that the linker leaves out what nothing calls. Without the first it keeps all that is
    // public: other programs might link it.
    .unsafeFlags(["-Xfrontend", "-internalize-at-link", "-Xfrontend", "-function-sections"]),
]

/// The same, for modules that numbers of strangers reach: in each of their files the compiler refuses conversions that end the program,
/// and ways from text to numbers that state no range (ChirpNumbers).
let guarded: [SwiftSetting] =
    settings + [.unsafeFlags(["-Xfrontend", "-import-module", "-Xfrontend", "ChirpNumbers"])]

/// The same, for size: of modules that wait for databases, networks and people more than they compute. The program is to weigh less than 65 MB
/// with what a browser keeps (AR-15).
let forSize = SwiftSetting.unsafeFlags(["-Osize"], .when(configuration: .release))
let small: [SwiftSetting] = guarded + [forSize]

/// A module of the project. It may depend only on modules of the layers below its own (Docs/ARCHITECTURE.md).
func module(_ name: String, _ dependencies: [Target.Dependency], isSmall: Bool = false) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: settings + (isSmall ? [forSize] : []))
}

/// A module that numbers of strangers reach.
func guardedModule(_ name: String, _ dependencies: [Target.Dependency], isSmall: Bool = false) -> Target {
    .target(name: name, dependencies: dependencies + ["ChirpNumbers"], swiftSettings: isSmall ? small : guarded)
}

/// Tests that only call the modules are compiled without optimisation; those that make and compare sound themselves are not. Nobody looks at
/// variables of tests in a debugger, so they have lines alone.
func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    let computing = [
        "AudioTests", "MP3Tests", "MusicTests", "CodecTests", "ClipTests", "IntakeTests", "DeviceTests", "FlowTests",
        "FleetTests",
    ]
    return .testTarget(
        name: name, dependencies: dependencies + ["ChirpTestKit"],
        swiftSettings: settings + [.unsafeFlags(["-Xfrontend", "-gline-tables-only"])]
            + (computing.contains(name) ? [] : [.unsafeFlags(["-Onone", "-no-emit-module-separately-wmo"])]))
}

let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let cryptoExtras = Target.Dependency.product(name: "CryptoExtras", package: "swift-crypto")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let sqlite = Target.Dependency.product(name: "GRDBSQLite", package: "GRDB.swift")
let hummingbird = Target.Dependency.product(name: "Hummingbird", package: "hummingbird")
let lifecycle = Target.Dependency.product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let structuredFields = Target.Dependency.product(
    name: "RawStructuredFieldValues", package: "swift-http-structured-headers")
let yams = Target.Dependency.product(name: "Yams", package: "Yams")

let hummingbirdHTTP2 = Target.Dependency.product(name: "HummingbirdHTTP2", package: "hummingbird")
let hummingbirdTLS = Target.Dependency.product(name: "HummingbirdTLS", package: "hummingbird")

let package = Package(
    name: "chirp",
    products: [
        .executable(name: "chirp", targets: ["chirp"]),
        // A first `make run SERVE=0` builds this one.
        .executable(name: "firstrun", targets: ["firstrun"]),
        // For Benchmarks/, a package of its own.
        .library(name: "ChirpEngine", targets: ["ChirpAudio", "ChirpClips", "ChirpCodecs", "ChirpCore", "ChirpMP3"]),
        .library(name: "BenchmarkSupport", targets: ["BenchmarkSupport"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.0"),
        .package(url: "https://github.com/apple/swift-http-structured-headers", from: "1.7.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0", traits: []),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        // What the build itself runs.
        .executableTarget(name: "embed", path: "Plugins/embed", swiftSettings: settings),
        .plugin(name: "EmbedFiles", capability: .buildTool(), dependencies: ["embed"]),
        // Layer 0: the C libraries, and what everything may use.
        // Opened at run time, not linked: see its header. Building it needs libcurl4-openssl-dev.
        .target(name: "CCurl", linkerSettings: [.linkedLibrary("dl")]),
        // For tests: a second opinion on loudness.
        .systemLibrary(name: "CEbur128", providers: [.apt(["libebur128-dev"])]),
        .systemLibrary(name: "CFLAC", providers: [.apt(["libflac-dev"])]),
        // Loops over samples, built for several kinds of processors.
        .target(name: "CKernels"),
        // Spectra.
        .systemLibrary(name: "CKissFFT", providers: [.apt(["libkissfft-dev"])]),
        .systemLibrary(name: "CLame", providers: [.apt(["libmp3lame-dev"])]),
        .systemLibrary(name: "CMpg123", providers: [.apt(["libmpg123-dev"])]),
        // Opened at run time too. Building it needs libnats-dev.
        .target(name: "CNats", linkerSettings: [.linkedLibrary("dl")]),
        // Opened at run time too: Cairo and Pango draw pictures for links.
        .target(name: "CPango", linkerSettings: [.linkedLibrary("dl")]),
        // Opened at run time too: libqrencode makes codes for posters.
        .target(name: "CQRCode", linkerSettings: [.linkedLibrary("dl")]),
        // Opened at run time too. Building it needs libpulse-dev.
        .target(name: "CPulse", linkerSettings: [.linkedLibrary("dl")]),
        // Pictures. Building needs libjpeg62-turbo-dev, libpng-dev, libgif-dev, libwebp-dev and libde265-dev; the last three libraries
        // are opened at run time.
        .target(
            name: "CPhoto",
            linkerSettings: [.linkedLibrary("jpeg"), .linkedLibrary("png"), .linkedLibrary("dl"), .linkedLibrary("m")]),
        // Password hashes.
        .systemLibrary(name: "CSodium", providers: [.apt(["libsodium-dev"])]),
        .systemLibrary(name: "CSndfile", providers: [.apt(["libsndfile1-dev"])]),
        .systemLibrary(name: "CSoxr", providers: [.apt(["libsoxr-dev"])]),
        // Packs what browsers fetch.
        .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
        // Bounds of a child process that decodes what strangers send.
        .target(name: "CConfine"),
        module("ChirpNumbers", []),
        module("ChirpFiles", ["CConfine", crypto]),
        module("ChirpCore", ["ChirpFiles", "CConfine"]),
        // Layer 1
        module("ChirpAudio", ["ChirpCore", "ChirpFiles", "CKernels"]),
        // Layer 2
        module("ChirpMP3", ["ChirpAudio", "ChirpCore", "ChirpFiles", "CLame", "CMpg123"]),
        guardedModule("ChirpDatabase", [grdb, sqlite]),
        module("ChirpHTTP", ["ChirpCore", "ChirpFiles", "CCurl"]),
        guardedModule("ChirpDrawing", ["CPango", "CQRCode"], isSmall: true),
        module("ChirpDevices", ["ChirpAudio", "ChirpCore", "ChirpFiles", "CPulse"]),
        module("ChirpMusic", ["ChirpAudio", "CKissFFT"]),
        // Layer 3
        module(
            "ChirpCodecs",
            [
                "ChirpAudio", "ChirpCore", "ChirpFiles", "ChirpMP3", "CFLAC", "CLame", "CMpg123", "CPhoto", "CSndfile",
                "CSoxr",
            ]),
        // Its list of common passwords is a file.
        .target(
            name: "ChirpAccounts",
            dependencies: ["ChirpCore", "ChirpDatabase", "ChirpNumbers", "CSodium", crypto, cryptoExtras, grdb],
            exclude: ["Resources"], swiftSettings: small, plugins: ["EmbedFiles"]),
        module("ChirpOAuth", ["ChirpCore", "ChirpFiles", "ChirpHTTP", crypto, cryptoExtras], isSmall: true),
        module("ChirpStores", ["ChirpCore", "ChirpFiles", "ChirpHTTP", crypto], isSmall: true),
        module("ChirpJournal", ["ChirpCore", "ChirpDatabase", grdb]),
        guardedModule("ChirpPlaces", ["ChirpCore", "ChirpDatabase", "ChirpFiles", crypto, grdb]),
        guardedModule("ChirpPush", ["ChirpCore", "ChirpHTTP", crypto], isSmall: true),
        // Layer 4
        module("ChirpClips", ["ChirpAudio", "ChirpCodecs", "ChirpCore", "ChirpFiles", "ChirpMP3"]),
        module("ChirpNetworks", ["ChirpCore", "ChirpHTTP", "ChirpOAuth"], isSmall: true),
        guardedModule(
            "ChirpCommunity",
            ["ChirpAccounts", "ChirpCore", "ChirpDatabase", "ChirpFiles", "ChirpPlaces", crypto, grdb]),
        // Style, scripts, words and icon of the pages are files, which the build puts into the program.
        .target(
            name: "ChirpWeb",
            dependencies: [
                "ChirpCore", "ChirpFiles", "ChirpNumbers", "CZlib", crypto, hummingbird, hummingbirdHTTP2,
                hummingbirdTLS, lifecycle,
                logging,
            ],
            exclude: ["Resources"], swiftSettings: guarded, plugins: ["EmbedFiles"]),
        // Layer 5
        .target(
            name: "ChirpMap",
            dependencies: ["ChirpCore", "ChirpFiles", "ChirpNumbers", "ChirpPlaces", "ChirpWeb", hummingbird],
            exclude: ["Resources"], swiftSettings: guarded, plugins: ["EmbedFiles"]),
        guardedModule(
            "ChirpFrame",
            [
                "ChirpAccounts", "ChirpCommunity", "ChirpCore", "ChirpFiles", "ChirpHTTP", "ChirpNetworks",
                "ChirpOAuth", "ChirpWeb", crypto, hummingbird, lifecycle, logging,
            ], isSmall: true),
        guardedModule(
            "ChirpFederation",
            ["ChirpCore", "ChirpHTTP", "ChirpNetworks", crypto, cryptoExtras, structuredFields], isSmall: true),
        module(
            "ChirpFlows",
            [
                "ChirpAudio", "ChirpClips", "ChirpCodecs", "ChirpCore", "ChirpDevices", "ChirpFiles", "ChirpJournal",
                "ChirpMP3", "ChirpNetworks", "ChirpStores",
            ]),
        guardedModule(
            "ChirpOrders",
            [
                "ChirpAccounts", "ChirpCommunity", "ChirpCore", "ChirpDatabase", "ChirpFiles", "ChirpHTTP", crypto,
                grdb,
            ], isSmall: true),
        guardedModule(
            "ChirpOwnHub",
            ["ChirpAccounts", "ChirpCommunity", "ChirpCore", "ChirpFiles", "ChirpNetworks", "ChirpStores"],
            isSmall: true),
        // Layer 6
        guardedModule(
            "ChirpBoards",
            [
                "ChirpAccounts", "ChirpCommunity", "ChirpCore", "ChirpFiles", "ChirpMap", "ChirpMusic", "ChirpPlaces",
                "ChirpWeb", hummingbird, logging,
            ], isSmall: true),
        module(
            "ChirpFleet",
            [
                "ChirpAudio", "ChirpClips", "ChirpCodecs", "ChirpCore", "ChirpFiles", "ChirpFlows", "ChirpHTTP",
                "ChirpJournal", "ChirpMP3", "ChirpStores", "CNats", hummingbird, logging,
            ], isSmall: true),
        module(
            "ChirpIntake",
            [
                "ChirpAudio", "ChirpClips", "ChirpCodecs", "ChirpCore", "ChirpFiles", "ChirpFlows", "ChirpMusic",
                "CConfine",
            ]),
        guardedModule(
            "ChirpFediverse",
            [
                "ChirpAccounts", "ChirpCommunity", "ChirpCore", "ChirpFederation", "ChirpFiles", "ChirpHTTP",
                "ChirpNetworks",
            ], isSmall: true),
        guardedModule(
            "ChirpListening",
            ["ChirpAccounts", "ChirpCommunity", "ChirpCore", "ChirpFlows", "ChirpJournal", "ChirpWeb", hummingbird],
            isSmall: true),
        // Layer 7
        .target(
            name: "ChirpBeats",
            dependencies: [
                "ChirpAccounts", "ChirpBoards", "ChirpCommunity", "ChirpCore", "ChirpDatabase", "ChirpDrawing",
                "ChirpFiles", "ChirpMusic", "ChirpNumbers", "ChirpOrders", "ChirpWeb", crypto, grdb, hummingbird,
                logging,
            ],
            exclude: ["Resources"], swiftSettings: small),
        .target(
            name: "ChirpListings",
            dependencies: [
                "ChirpAccounts", "ChirpBoards", "ChirpCommunity", "ChirpCore", "ChirpDatabase", "ChirpDrawing",
                "ChirpFiles", "ChirpMap", "ChirpNumbers", "ChirpPlaces", "ChirpWeb", crypto, grdb, hummingbird, logging,
            ],
            exclude: ["Resources"], swiftSettings: small),
        .target(
            name: "ChirpRecords",
            dependencies: [
                "ChirpAccounts", "ChirpAudio", "ChirpBoards", "ChirpCommunity", "ChirpCore", "ChirpDatabase",
                "ChirpFiles", "ChirpMap", "ChirpMusic", "ChirpNumbers", "ChirpPlaces", "ChirpWeb", grdb, hummingbird,
                logging,
            ],
            exclude: ["Resources"], swiftSettings: small),
        // Layer 8
        .target(
            name: "ChirpHub",
            dependencies: [
                "ChirpAccounts", "ChirpBeats", "ChirpBoards", "ChirpCommunity", "ChirpCore", "ChirpDrawing",
                "ChirpFederation", "ChirpFediverse", "ChirpFiles", "ChirpFrame", "ChirpHTTP", "ChirpListening",
                "ChirpListings", "ChirpMap", "ChirpNetworks", "ChirpNumbers", "ChirpOAuth", "ChirpOrders",
                "ChirpPlaces", "ChirpPush",
                "ChirpRecords", "ChirpWeb", hummingbird,
                lifecycle, logging,
            ], swiftSettings: small),
        // Layer 9. It depends on no server, board or fleet, and on nothing that only these need: a first `make run` waits for it.
        module(
            "ChirpCommands",
            [
                "ChirpAccounts", "ChirpAudio", "ChirpClips", "ChirpCodecs", "ChirpCommunity", "ChirpCore",
                "ChirpDevices", "ChirpFiles", "ChirpFlows", "ChirpHTTP", "ChirpJournal", "ChirpMP3", "ChirpNetworks",
                "ChirpOAuth", "ChirpOwnHub", "ChirpPlaces", "ChirpStores", argumentParser, logging, yams,
            ], isSmall: true),
        // Layer 10
        // The commands that need no server, for a first `make run SERVE=0`.
        .executableTarget(
            name: "firstrun", dependencies: ["ChirpCommands", "ChirpCommunity", "ChirpCore", argumentParser],
            swiftSettings: settings + [forSize]),
        .executableTarget(
            name: "chirp",
            dependencies: [
                "ChirpAccounts", "ChirpAudio", "ChirpBoards", "ChirpClips", "ChirpCodecs", "ChirpCommands",
                "ChirpCommunity", "ChirpCore", "ChirpDevices", "ChirpFiles",
                "ChirpFleet", "ChirpFlows", "ChirpHTTP", "ChirpHub", "ChirpIntake", "ChirpJournal", "ChirpListings",
                "ChirpMP3", "ChirpMap", "ChirpMusic", "ChirpNetworks", "ChirpOAuth", "ChirpOwnHub", "ChirpPlaces",
                "ChirpRecords",
                "ChirpStores",
                argumentParser, lifecycle,
                logging,
            ],
            swiftSettings: settings + [forSize]),
        // Tests mirror the sources.
        .target(
            name: "ChirpTestKit",
            dependencies: [
                "ChirpAudio", "ChirpCore", "ChirpFiles", "ChirpHTTP", "ChirpNetworks", "ChirpStores", "CEbur128",
                crypto,
            ],
            path: "Tests/ChirpTestKit", swiftSettings: settings),
        // The services that clips go to, on loopback; with faults on demand.
        .target(
            name: "LoopbackService", dependencies: ["ChirpCore", "ChirpHTTP", crypto, cryptoExtras],
            path: "Tests/LoopbackService", swiftSettings: settings),
        // The same as a program, for clients in other languages and for measuring uploads.
        .executableTarget(
            name: "loopback",
            dependencies: [
                "ChirpAccounts", "ChirpCommunity", "ChirpCore", "ChirpFiles", "ChirpHTTP", "ChirpOrders", "ChirpStores",
                "LoopbackService", grdb,
            ],
            path: "Tests/Loopback", swiftSettings: settings),
        // Fills a library with as many entries as boards are promised to carry: make board-load.
        .executableTarget(
            name: "boardload",
            dependencies: [
                "ChirpAccounts", "ChirpBeats", "ChirpBoards", "ChirpCommunity", "ChirpCore", "ChirpListings",
                "ChirpMusic",
                "ChirpOrders", "ChirpPlaces", "ChirpRecords", grdb,
            ],
            path: "Tests/BoardLoad", swiftSettings: settings),
        // Recordings of attempts, claps, bounces and skips that are made, with the truth about them.
        .target(
            name: "MadeSounds", dependencies: ["ChirpAudio", "ChirpMusic", "ChirpTestKit"], path: "Tests/MadeSounds",
            swiftSettings: settings),
        // The program that listens to hundreds of them: Benchmarks/hearing.
        .executableTarget(
            name: "hearing", dependencies: ["ChirpMusic", "ChirpTestKit", "MadeSounds"], path: "Tests/Hearing",
            swiftSettings: settings),
        // The program that listens to music: Benchmarks/alike.
        .executableTarget(
            name: "tempi", dependencies: ["ChirpAudio", "ChirpMusic"], path: "Tests/Tempi", swiftSettings: settings),
        // The program that recognises recordings and compares stems with their mix: Benchmarks/twins and Benchmarks/stems.
        .executableTarget(
            name: "prints", dependencies: ["ChirpAudio", "ChirpIntake", "ChirpMusic"], path: "Tests/Prints",
            swiftSettings: settings),
        // The program that makes listeners' previews, and names whose a leak was: Benchmarks/leaks.
        .executableTarget(
            name: "leaks", dependencies: ["ChirpClips", "ChirpCore", "ChirpFiles", "ChirpIntake", "ChirpMusic"],
            path: "Tests/Leaks", swiftSettings: settings),
        // The program of which Benchmarks/instructions counts the instructions, and what it shares with the benchmarks.
        .target(
            name: "BenchmarkSupport", dependencies: ["ChirpAudio", "ChirpCodecs"], path: "Benchmarks/Support",
            swiftSettings: settings),
        .executableTarget(
            name: "instructions", dependencies: ["BenchmarkSupport", "ChirpAudio", "ChirpCodecs", "ChirpMP3"],
            path: "Benchmarks/Instructions", swiftSettings: settings),
        // Files that are wrong on purpose, and the program that reads a hundred thousand of them in a child: Scripts/fuzz.
        .target(
            name: "HostileFiles", dependencies: ["ChirpAudio", "ChirpCodecs", "ChirpCore", "ChirpMP3"],
            path: "Tests/HostileFiles",
            swiftSettings: settings),
        .executableTarget(
            name: "hostile", dependencies: ["HostileFiles"], path: "Tests/Hostile", swiftSettings: settings),
        // Tries all that code may try which has taken a bound process over: IntakeTests.
        .executableTarget(name: "bound", dependencies: ["CConfine"], path: "Tests/Bound"),
        tests("FilesTests", ["ChirpFiles"]),
        tests("AudioTests", ["ChirpAudio"]),
        tests("MP3Tests", ["ChirpAudio", "ChirpCodecs", "ChirpCore", "ChirpMP3"]),
        tests("MusicTests", ["ChirpMusic", "MadeSounds"]),
        tests("CodecTests", ["ChirpAudio", "ChirpCodecs", "ChirpCore", "ChirpFiles", "ChirpMP3", "HostileFiles"]),
        tests("DatabaseTests", ["ChirpDatabase", grdb]),
        tests("AccountTests", ["ChirpAccounts", "ChirpCore", "ChirpDatabase", crypto, grdb]),
        tests("DrawingTests", ["ChirpDrawing"]),
        tests("PlaceTests", ["ChirpCore", "ChirpPlaces", grdb]),
        tests("PushTests", ["ChirpCore", "ChirpHTTP", "ChirpPush", "LoopbackService", crypto]),
        tests("MapTests", ["ChirpMap", "ChirpPlaces", "ChirpWeb"]),
        tests("DeviceTests", ["ChirpAudio", "ChirpCore", "ChirpDevices"]),
        tests("ClipTests", ["ChirpAudio", "ChirpClips", "ChirpCodecs", "ChirpCore", "ChirpMP3"]),
        tests("HTTPTests", ["ChirpCore", "ChirpHTTP", "LoopbackService"]),
        tests("StoreTests", ["ChirpCore", "ChirpFiles", "ChirpHTTP", "ChirpStores", "LoopbackService"]),
        tests("NetworkTests", ["ChirpCore", "ChirpHTTP", "ChirpNetworks", "ChirpOAuth", "LoopbackService"]),
        tests("OAuthTests", ["ChirpCore", "ChirpHTTP", "ChirpOAuth", "LoopbackService"]),
        tests(
            "FederationTests",
            ["ChirpCore", "ChirpFederation", "ChirpHTTP", "LoopbackService", crypto, cryptoExtras]),
        tests("JournalTests", ["ChirpCore", "ChirpJournal", grdb]),
        tests(
            "FlowTests",
            [
                "ChirpAudio", "ChirpClips", "ChirpCodecs", "ChirpCore", "ChirpDevices", "ChirpFiles", "ChirpFlows",
                "ChirpJournal", "ChirpMP3", "ChirpNetworks", "ChirpStores",
            ]),
        tests(
            "FleetTests",
            [
                "ChirpAudio", "ChirpClips", "ChirpCodecs", "ChirpCore", "ChirpFiles", "ChirpFleet", "ChirpFlows",
                "ChirpHTTP", "ChirpJournal", "ChirpMP3", "ChirpStores", "LoopbackService", crypto, "chirp",
            ]),
        tests(
            "IntakeTests",
            [
                "CConfine", "ChirpAudio", "ChirpClips", "ChirpCodecs", "ChirpCore", "ChirpFiles", "ChirpFlows",
                "ChirpIntake", "ChirpMusic", "chirp",
            ]),
        // A library with a store and a network over it, and a clock that tests set.
        .target(
            name: "HubHousehold",
            dependencies: [
                "ChirpAccounts", "ChirpCommunity", "ChirpCore", "ChirpDatabase", "ChirpNetworks", "ChirpOwnHub",
                "ChirpPlaces", "ChirpStores", "ChirpTestKit", crypto, grdb,
            ],
            path: "Tests/HubHousehold", swiftSettings: settings),
        tests(
            "CommunityTests",
            [
                "ChirpAccounts", "ChirpCommunity", "ChirpCore", "ChirpDatabase", "ChirpFiles", "ChirpNetworks",
                "ChirpNumbers",
                "ChirpOwnHub", "ChirpPlaces", "ChirpStores", "HubHousehold", grdb,
            ]),
        tests(
            "BeatTests",
            [
                "ChirpAccounts", "ChirpAudio", "ChirpBeats", "ChirpBoards", "ChirpClips", "ChirpCommunity", "ChirpCore",
                "ChirpDatabase", "ChirpDrawing", "ChirpFiles", "ChirpIntake", "ChirpMusic", "ChirpOrders",
                "ChirpStores", "ChirpWeb", "HubHousehold", grdb,
            ]),
        tests(
            "ListingTests",
            [
                "ChirpAccounts", "ChirpBoards", "ChirpCommunity", "ChirpCore", "ChirpDatabase", "ChirpDrawing",
                "ChirpListings", "ChirpPlaces", "ChirpWeb", "HubHousehold", grdb,
            ]),
        tests(
            "ChallengeTests",
            [
                "ChirpAccounts", "ChirpBoards", "ChirpCommunity", "ChirpCore", "ChirpDatabase", "ChirpMusic",
                "ChirpNumbers", "ChirpPlaces", "ChirpRecords", "ChirpStores", "ChirpWeb", "HubHousehold", grdb,
            ]),
        tests(
            "OwnHubTests",
            ["ChirpCommunity", "ChirpCore", "ChirpNetworks", "ChirpOwnHub", "ChirpStores", "HubHousehold"]),
        tests(
            "OrderTests",
            [
                "ChirpAccounts", "ChirpCommunity", "ChirpCore", "ChirpDatabase", "ChirpHTTP", "ChirpOrders",
                "LoopbackService", grdb,
            ]),
        tests(
            "FediverseTests",
            [
                "ChirpAccounts", "ChirpCommunity", "ChirpCore", "ChirpFederation", "ChirpFediverse", "ChirpHTTP",
                "ChirpNumbers",
                "HubHousehold", "LoopbackService",
            ]),
        tests("NumberTests", ["ChirpNumbers"]),
        tests("WebTests", ["ChirpCore", "ChirpWeb", hummingbird, logging]),
        // Many modules read numbers of strangers, all by one rule.
        tests(
            "ParserTests",
            [
                "ChirpCommunity", "ChirpCore", "ChirpFederation", "ChirpHTTP", "ChirpListings", "ChirpNetworks",
                "ChirpOAuth", "ChirpOrders", "ChirpStores", "ChirpWeb", hummingbird,
            ]),
        tests(
            "ListeningTests",
            [
                "ChirpAccounts", "ChirpCommunity", "ChirpCore", "ChirpFlows", "ChirpListening", "ChirpWeb",
                "HubHousehold",
                hummingbird,
            ]),
        tests(
            "HubTests",
            [
                "ChirpAccounts", "ChirpBeats", "ChirpBoards", "ChirpCommunity", "ChirpCore", "ChirpDatabase",
                "ChirpFederation", "ChirpFediverse", "ChirpFrame", "ChirpHTTP", "ChirpHub", "ChirpListings", "ChirpMap",
                "ChirpMusic",
                "ChirpNetworks", "ChirpNumbers", "ChirpOAuth", "ChirpOwnHub", "ChirpPlaces",
                "ChirpOrders", "ChirpPush",
                "ChirpRecords", "ChirpStores", "ChirpWeb", "HubHousehold", "LoopbackService", crypto, grdb, hummingbird,
                lifecycle, logging,
            ]),
        tests(
            "CLITests",
            [
                "ChirpAudio", "ChirpCodecs", "ChirpCore", "ChirpDevices", "ChirpFiles", "ChirpFlows", "ChirpHTTP",
                "ChirpNetworks", "ChirpStores", "LoopbackService", "chirp", "firstrun",
            ]),
    ],
    swiftLanguageModes: [.v6]
)
