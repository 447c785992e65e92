// The keys of headphones, keyboards and lock screens (Media Session).

/** - on.play, on.pause, on.next, on.previous: what was pressed. */
export function mediaKeys(on) {
  const media = navigator.mediaSession;
  const actions = { play: on.play, pause: on.pause, nexttrack: on.next, previoustrack: on.previous };
  const handle = (isWanted) => {
    for (const [action, act] of Object.entries(actions)) {
      try {
        media?.setActionHandler(action, isWanted ? act : null);
      } catch {
        // A key that this browser does not know.
      }
    }
  };
  const icon = document.querySelector("link[rel=icon]");
  return {
    describe(title, artist) {
      if (!media) return;
      const artwork = icon ? [{ src: icon.href, sizes: "any", type: "image/svg+xml" }] : [];
      media.metadata = new MediaMetadata({ title, artist, album: "Chirp", artwork });
      handle(true);
    },
    playing(is) {
      if (media) media.playbackState = is ? "playing" : "paused";
    },
    position(position, duration) {
      if (!media?.setPositionState || !(duration > 0)) return;
      media.setPositionState({ position: Math.min(position, duration), duration, playbackRate: 1 });
    },
    forget() {
      if (!media) return;
      media.playbackState = "none";
      media.metadata = null;
      handle(false);
    },
  };
}
