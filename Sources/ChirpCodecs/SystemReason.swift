internal import Glibc

/// The operating system's words for an `errno` value, such as "No space left on device".
func systemReason(_ code: Int32) -> String {
    guard let text = strerror(code) else { return "error \(code)" }
    return String(cString: text)
}
