// Sounds that are made here: a moment of silence and a chime, as WAV.

const rate = 22050;

/** A WAV file of mono samples, -1...1 (RIFF, PCM of 16 bits). */
function wav(samples) {
  const view = new DataView(new ArrayBuffer(44 + samples.length * 2));
  const text = (at, letters) => [...letters].forEach((letter, i) => view.setUint8(at + i, letter.charCodeAt(0)));
  text(0, "RIFF");
  view.setUint32(4, 36 + samples.length * 2, true);
  text(8, "WAVEfmt ");
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, rate, true);
  view.setUint32(28, rate * 2, true);
  view.setUint16(32, 2, true);
  view.setUint16(34, 16, true);
  text(36, "data");
  view.setUint32(40, samples.length * 2, true);
  samples.forEach((sample, i) => view.setInt16(44 + i * 2, Math.round(sample * 32767), true));
  return new Blob([view], { type: "audio/wav" });
}

/** A tenth of a second of nothing. */
export const silence = () => wav(new Array(rate / 10).fill(0));

/** Two soft notes, a fourth apart, half a second in all. */
export function chime() {
  const samples = new Array(rate / 2).fill(0);
  for (const [frequency, begins] of [[660, 0], [880, 0.15]]) {
    for (let i = Math.round(begins * rate); i < samples.length; i++) {
      const t = i / rate - begins;
      samples[i] += 0.18 * Math.min(1, t / 0.01) * Math.exp(-t * 9) * Math.sin(2 * Math.PI * frequency * t);
    }
  }
  return wav(samples);
}
