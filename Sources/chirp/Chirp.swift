import ArgumentParser
import GRDB
import Hummingbird
import Yams
import Crypto
@main struct Chirp: AsyncParsableCommand { func run() async throws { print("x") } }
