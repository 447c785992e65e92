/// Small pictures, drawn for this project. They inherit the colour of the text and are hidden from screen readers.
package enum Icon {
    /// The project's mark: a clip's waveform inside a speech bubble.
    package static let mark: HTML = """
        <svg class="mark" viewBox="0 0 32 32" aria-hidden="true"><path d="M6 3h20a4 4 0 0 1 4 4v13a4 4 0 0 1-4 4H14l-7 6v-6H6\
        a4 4 0 0 1-4-4V7a4 4 0 0 1 4-4z" fill="currentColor"/><path class="knock" d="M8 12v3M12 9v9M16 6.500v14M20 10v7M24 12v3" \
        fill="none" stroke-width="2.200" stroke-linecap="round"/></svg>
        """
    /// Stands on a button that plays.
    package static let play: HTML = """
        <svg class="icon when-paused" viewBox="0 0 24 24" aria-hidden="true"><path d="M8 4.800v14.400a.8.8 0 0 0 1.220.68\
        l11.600-7.200a.8.8 0 0 0 0-1.360L9.220 4.120A.8.8 0 0 0 8 4.800z" fill="currentColor"/></svg>
        """
    /// Takes its place while something plays.
    package static let pause: HTML = """
        <svg class="icon when-playing" viewBox="0 0 24 24" aria-hidden="true"><path d="M6.500 4h3.500v16H6.500zM14 4h3.500v16H14z" \
        fill="currentColor"/></svg>
        """
    /// A little earlier.
    package static let back: HTML = """
        <svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="M11 6 5 12l6 6M19 6l-6 6 6 6" fill="none" \
        stroke="currentColor" stroke-width="2.400" stroke-linecap="round" stroke-linejoin="round"/></svg>
        """
    /// A little later.
    package static let forward: HTML = """
        <svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="m13 6 6 6-6 6M5 6l6 6-6 6" fill="none" \
        stroke="currentColor" stroke-width="2.400" stroke-linecap="round" stroke-linejoin="round"/></svg>
        """
}
