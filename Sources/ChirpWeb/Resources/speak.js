// The browser's own voice, where it has one.
import { language } from "./words.js";

// So long it is waited for: some browsers have the interface but no voice, and never say that they are done.
const patience = 6000;

export const canSpeak = "speechSynthesis" in window && "SpeechSynthesisUtterance" in window;

/** Resolves when it was spoken, so that nothing sounds at the same time. */
export function speak(text) {
  return new Promise((done) => {
    const utterance = new SpeechSynthesisUtterance(text);
    utterance.lang = language;
    const timer = setTimeout(() => {
      speechSynthesis.cancel();
      done();
    }, patience);
    utterance.onend = utterance.onerror = () => {
      clearTimeout(timer);
      done();
    };
    speechSynthesis.speak(utterance);
  });
}
