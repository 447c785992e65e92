/// How one sample lies in a WAV file, and how it becomes a Float.
enum WavSampleFormat: Hashable {
    case unsigned8
    case signed16
    case signed24
    case signed32
    case float32
    case float64
    /// ITU-T G.711.
    case aLaw
    case muLaw

    /// - Parameters:
    ///   - tag: of the format chunk: 1 PCM, 3 float, 6 A-law, 7 mu-law.
    ///   - bits: per sample; PCM is left-justified in whole bytes.
    ///   - containerBytes: bytes per sample by the frame size; 0 or nonsense is ignored.
    /// - Returns: nil when there is no such format.
    init?(tag: Int, bits: Int, containerBytes: Int) {
        switch tag {
        case 1:
            guard (8...32).contains(bits) else { return nil }
            let needed = (bits + 7) / 8
            switch (needed...4).contains(containerBytes) ? containerBytes : needed {
            case 1: self = .unsigned8
            case 2: self = .signed16
            case 3: self = .signed24
            default: self = .signed32
            }
        case 3:
            switch bits {
            case 32: self = .float32
            case 64: self = .float64
            default: return nil
            }
        case 6 where bits == 8 || bits == 0: self = .aLaw
        case 7 where bits == 8 || bits == 0: self = .muLaw
        default: return nil
        }
    }

    /// Per sample.
    var bytes: Int {
        switch self {
        case .unsigned8, .aLaw, .muLaw: 1
        case .signed16: 2
        case .signed24: 3
        case .signed32, .float32: 4
        case .float64: 8
        }
    }

    var name: String {
        switch self {
        case .unsigned8: "PCM 8"
        case .signed16: "PCM 16"
        case .signed24: "PCM 24"
        case .signed32: "PCM 32"
        case .float32: "float 32"
        case .float64: "float 64"
        case .aLaw: "A-law"
        case .muLaw: "mu-law"
        }
    }

    var isFloat: Bool { self == .float32 || self == .float64 }

    /// Converts consecutive little-endian samples; full scale becomes ±1 as in libsndfile (16 bit: divided by 32768).
    ///
    /// - Parameters:
    ///   - source: at least `target.count * bytes` bytes.
    ///   - target: all of it is written.
    func convert(_ source: UnsafeRawBufferPointer, into target: UnsafeMutableBufferPointer<Float>) {
        precondition(source.count >= target.count * bytes)
        switch self {
        case .unsigned8:
            for index in target.indices { target[index] = (Float(source[index]) - 128) * 0x1p-7 }
        case .signed16:
            // Eight at a time: by far the most frequent of all, and the compiler does not see it by itself.
            let whole = target.count & ~7
            for index in stride(from: 0, to: whole, by: 8) {
                let values = source.loadUnaligned(fromByteOffset: 2 * index, as: SIMD8<Int16>.self)
                let scaled = SIMD8<Float>(SIMD8<Int32>(truncatingIfNeeded: values)) * 0x1p-15
                UnsafeMutableRawBufferPointer(target).storeBytes(
                    of: scaled, toByteOffset: 4 * index, as: SIMD8<Float>.self)
            }
            for index in whole..<target.count {
                let value = source.loadUnaligned(fromByteOffset: 2 * index, as: Int16.self)
                target[index] = Float(Int16(littleEndian: value)) * 0x1p-15
            }
        case .signed24:
            for index in target.indices {
                let low = UInt32(source[3 * index]) << 8 | UInt32(source[3 * index + 1]) << 16
                target[index] = Float(Int32(bitPattern: low | UInt32(source[3 * index + 2]) << 24)) * 0x1p-31
            }
        case .signed32:
            for index in target.indices {
                let value = source.loadUnaligned(fromByteOffset: 4 * index, as: Int32.self)
                target[index] = Float(Int32(littleEndian: value)) * 0x1p-31
            }
        case .float32:
            for index in target.indices {
                let value = source.loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self)
                target[index] = Float(bitPattern: UInt32(littleEndian: value))
            }
        case .float64:
            for index in target.indices {
                let value = source.loadUnaligned(fromByteOffset: 8 * index, as: UInt64.self)
                target[index] = Float(Double(bitPattern: UInt64(littleEndian: value)))
            }
        case .aLaw:
            for index in target.indices { target[index] = Self.aLawTable[Int(source[index])] }
        case .muLaw:
            for index in target.indices { target[index] = Self.muLawTable[Int(source[index])] }
        }
    }

    /// ITU-T G.711, table 1: even bits inverted, then sign, three bits of segment, four of step.
    private static let aLawTable: [Float] = (0..<256).map { code in
        let bits = code ^ 0x55
        let (segment, step) = (bits >> 4 & 7, bits & 15)
        let magnitude = segment == 0 ? step << 4 | 8 : (step << 4 | 0x108) << (segment - 1)
        return Float(bits & 0x80 != 0 ? magnitude : -magnitude) * 0x1p-15
    }

    /// ITU-T G.711, table 2: all bits inverted, magnitudes biased by 33 steps of 4.
    private static let muLawTable: [Float] = (0..<256).map { code in
        let bits = code ^ 0xFF
        let (segment, step) = (bits >> 4 & 7, bits & 15)
        let magnitude = ((step << 3 | 0x84) << segment) - 0x84
        return Float(bits & 0x80 != 0 ? -magnitude : magnitude) * 0x1p-15
    }
}
