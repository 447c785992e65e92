/// The look of the pages: calm, one accent colour, large type, readable from 320 px on and at any text size.
///
/// Lengths are in `rem` so that they grow with the reader's text size. Every pair of text and ground has a contrast of 7:1
/// or more (WCAG 2.2, 1.4.6); a test computes them from the variables below.
enum Stylesheet {
    static let text = """
        :root {
          color-scheme: light dark;
          --ground: #f5f6f3; --card: #ffffff; --text: #14201d; --soft: #3f4b48; --line: #d3d9d5;
          --accent: #00574d; --on-accent: #ffffff; --bars: #7f958c; --edge: #6c7b76; --problem: #8c1515;
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --ground: #0d1312; --card: #161e1c; --text: #edf3f1; --soft: #b9c5c1; --line: #2c3835;
            --accent: #6fe3cc; --on-accent: #06221d; --bars: #647a74; --edge: #82928d; --problem: #ffb4ab;
          }
        }
        @media (prefers-contrast: more) {
          :root { --soft: var(--text); --line: var(--edge); }
        }
        * { box-sizing: border-box; }
        [hidden] { display: none !important; }
        html { font-size: 112.5%; -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
        body {
          margin: 0; min-height: 100vh; display: flex; flex-direction: column;
          background: var(--ground); color: var(--text);
          font-family: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif;
          line-height: 1.55; overflow-wrap: anywhere;
        }
        .frame { width: 100%; max-width: 44rem; margin-inline: auto; padding-inline: min(1.25rem, 6vw); }
        a { color: var(--accent); text-underline-offset: 0.18em; text-decoration-thickness: 0.08em; }
        a:hover { text-decoration-thickness: 0.16em; }
        :focus-visible { outline: 0.2rem solid var(--accent); outline-offset: 0.2rem; border-radius: 0.4rem; }
        main:focus { outline: none; }
        .visually-hidden {
          position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%);
          white-space: nowrap;
        }
        .skip { position: absolute; left: 1rem; top: -6rem; padding: 0.7rem 1.1rem; background: var(--card); z-index: 2; }
        .skip:focus { top: 1rem; }

        .top .frame {
          display: flex; align-items: center; justify-content: space-between; flex-wrap: wrap;
          padding-block: 1.1rem; gap: 1rem;
        }
        .brand {
          display: inline-flex; align-items: center; gap: 0.6rem; min-height: 2.75rem;
          font-size: 1.25rem; font-weight: 700; letter-spacing: -0.01em; color: var(--text); text-decoration: none;
        }
        .mark { width: 2rem; height: 2rem; color: var(--accent); }
        .knock { stroke: var(--ground); }
        .feed { display: inline-flex; align-items: center; min-height: 2.75rem; padding-inline: 0.4rem; }
        main { flex: 1; padding-block: 1.25rem 3rem; }
        footer { padding-block: 1.5rem 2rem; color: var(--soft); font-size: 0.9rem; }
        footer p { margin: 0; }
        h1 {
          margin: 0 0 0.4rem; font-size: clamp(1.75rem, 1.35rem + 2vw, 2.5rem); line-height: 1.15;
          letter-spacing: -0.022em; text-wrap: balance;
        }
        h2 { margin: 0 0 0.7rem; font-size: 1.15rem; line-height: 1.3; letter-spacing: -0.008em; }
        .byline { margin: 0; color: var(--soft); }

        .player, .share, .facts, .post, .empty, .failure {
          background: var(--card); border: 1px solid var(--line); border-radius: 1.1rem;
        }
        .player { margin-block: 1.5rem 2rem; padding: clamp(1.1rem, 3.5vw, 1.9rem); }
        .player audio { display: block; width: 100%; min-height: 3.4rem; }
        .player.enhanced audio { display: none; }
        .wave { display: block; width: 100%; height: 100%; overflow: visible; }
        .bars { fill: var(--bars); }
        .bars.front { fill: var(--accent); }
        .seek { position: relative; height: clamp(5.5rem, 18vw, 8rem); border-radius: 0.5rem; }
        .rail { position: absolute; inset: calc(50% - 0.2rem) 0; height: 0.4rem; border-radius: 0.2rem;
          background: var(--bars); }
        .seek input {
          position: absolute; inset: 0; width: 100%; height: 100%; margin: 0; background: transparent; cursor: pointer;
          appearance: none; -webkit-appearance: none;
        }
        .seek input:focus-visible { outline-offset: 0.35rem; }
        .seek input::-webkit-slider-runnable-track { height: 100%; background: transparent; }
        .seek input::-moz-range-track { height: 100%; background: transparent; }
        .seek input::-webkit-slider-thumb {
          appearance: none; -webkit-appearance: none; width: 0.22rem; height: 100%; border: 0; border-radius: 0.11rem;
          background: var(--text);
        }
        .seek input::-moz-range-thumb {
          width: 0.22rem; height: 100%; border: 0; border-radius: 0.11rem; background: var(--text);
        }
        .clock {
          display: flex; justify-content: space-between; margin-top: 0.5rem; font-variant-numeric: tabular-nums;
          color: var(--soft);
        }
        .controls {
          display: flex; flex-wrap: wrap; align-items: center; justify-content: center; gap: min(0.9rem, 3vw);
          margin-top: 0.9rem;
        }
        .speed { display: flex; flex-wrap: wrap; justify-content: center; align-items: center; gap: 0.5rem; color: var(--soft); }
        .speed select {
          min-height: 2.9rem; padding: 0.3rem 0.5rem; font: inherit; color: var(--text); background: var(--card);
          border: 1px solid var(--edge); border-radius: 0.7rem;
        }
        .round {
          display: inline-grid; place-items: center; flex: none; width: min(3.4rem, 18vw); aspect-ratio: 1; padding: 0;
          cursor: pointer;
          border: 1px solid var(--edge); border-radius: 50%; background: var(--card); color: var(--text);
        }
        .round:focus-visible { border-radius: 50%; }
        .round .icon { width: 46%; height: 46%; }
        .round.play { width: min(4.9rem, 25vw); border-color: var(--accent); background: var(--accent);
          color: var(--on-accent); }
        .round.small { width: min(3.2rem, 18vw); border-color: var(--accent); color: var(--accent); }
        .round:hover { border-color: var(--text); }
        .when-playing, .playing .when-paused { display: none; }
        .playing .when-playing { display: block; }
        .keys { margin: 1.3rem 0 0; text-align: center; font-size: 0.9rem; color: var(--soft); }
        kbd {
          padding: 0.08rem 0.4rem; border: 1px solid var(--edge); border-radius: 0.35rem; font: inherit;
          font-size: 0.85em; color: var(--text);
        }
        .problem { margin: 1rem 0 0; color: var(--problem); font-weight: 600; }

        .share, .facts { padding: clamp(1.1rem, 3.5vw, 1.6rem); margin-block-end: 1.25rem; }
        textarea {
          display: block; width: 100%; padding: 0.8rem 0.9rem; font: inherit; line-height: 1.5; resize: vertical;
          color: var(--text); background: var(--ground); border: 1px solid var(--edge); border-radius: 0.7rem;
        }
        .actions { display: flex; flex-wrap: wrap; align-items: center; gap: 0.7rem 1.2rem; margin: 0.9rem 0 0; }
        .main:is(a, button) {
          display: inline-flex; align-items: center; justify-content: center; min-height: 3.1rem;
          padding: 0.5rem 1.5rem; border: 2px solid var(--accent); border-radius: 0.8rem; cursor: pointer;
          font: inherit; font-weight: 650; text-decoration: none; background: var(--accent); color: var(--on-accent);
        }
        .main:is(a, button):hover { text-decoration: underline; }
        .quiet { display: inline-flex; align-items: center; min-height: 3.1rem; }
        dl { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 13rem), 1fr)); gap: 0.9rem 1.5rem;
          margin: 0; }
        dt { color: var(--soft); font-size: 0.9rem; }
        dd { margin: 0; font-weight: 600; font-variant-numeric: tabular-nums; }

        .posts { list-style: none; margin: 1.25rem 0 0; padding: 0; display: grid; gap: 1rem; }
        .post {
          display: grid; grid-template-columns: 1fr auto; align-items: center; gap: 0.8rem 1rem;
          padding: clamp(1rem, 3vw, 1.4rem);
        }
        .post .text { min-width: 0; }
        .post h2 { margin: 0 0 0.15rem; font-size: 1.25rem; }
        .post h2 a { color: var(--text); text-decoration: none; }
        .post h2 a:hover { text-decoration: underline; }
        .post .wave { grid-column: 1 / -1; height: 3rem; }
        .words { margin: 0 0 0.3rem; }
        .tag { font-weight: 600; }
        .pages { display: flex; flex-wrap: wrap; gap: 0.7rem 1.5rem; margin-top: 1.5rem; }
        .pages a { display: inline-flex; align-items: center; min-height: 3rem; }
        .empty, .failure { margin-top: 1.25rem; padding: clamp(1.5rem, 6vw, 3rem); }
        .empty p { margin: 0.3rem 0; }
        code { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: 0.95em; }
        .failure .code { margin: 0 0 0.3rem; color: var(--accent); font-weight: 700; font-variant-numeric: tabular-nums; }
        .failure p { margin: 0.4rem 0 0; }
        .failure .actions { margin-top: 1.5rem; }
        .embed { padding: 0.8rem; }
        .embed .name { margin: 0 0 0.5rem; font-weight: 650; }
        .embed .player { margin: 0; }
        .embed .keys { display: none; }

        @media (max-width: 33.999rem) {
          .speed { flex-basis: 100%; }
          .keys { display: none; }
        }
        @media (min-width: 34rem) {
          .controls { display: grid; grid-template-columns: 1fr auto auto auto 1fr; }
          .controls [data-back] { grid-column: 2; }
          .speed { justify-self: end; }
        }
        @media (prefers-reduced-motion: no-preference) {
          .round, .main { transition: border-color 120ms, background-color 120ms; }
        }
        @media (forced-colors: active) {
          .bars { fill: GrayText; }
          .bars.front { fill: Highlight; }
          .knock { stroke: Canvas; }
        }
        @media print { .player, .share, .top .feed { display: none; } }

        """
}
