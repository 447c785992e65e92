// How many characters a share text counts, as each network counts them; the server counts in the same way (`TextRules`) and has the last word.

// twitter-text knows every top-level domain; here stand the two-letter ones, which are all countries, and the usual others. One that is missing
// counts by its letters, as on networks that know it no better.
const known = "(?:[a-z]{2}|com|org|net|info|biz|name|pro|edu|gov|mil|int|app|dev|blog|social|online|site|xyz|shop|club|live|news|tech|cloud|art|page|radio|audio|fm|example)";
const host = `(?:[a-z0-9](?:[a-z0-9_-]*[a-z0-9])?\\.)+${known}(?![a-z0-9@+_-])`;
const path = "(?::\\d+)?(?:/(?:[a-z0-9!*';:=+,.$%#\\[\\]_~@|&/-]*[a-z0-9=_#/+&-])?)?(?:\\?[a-z0-9!?*'@;:&=+$/%#\\[\\]_.,~|-]*[a-z0-9_&=#/-])?";
const before = "(?<![a-z0-9@#$\uff20\uff03])";
const withScheme = new RegExp(`${before}https?://${host}${path}`, "giu");
const withoutScheme = new RegExp(`${before}(?<![-_./])(?:https?://)?${host}${path}`, "giu");

const segmenter = Intl.Segmenter ? new Intl.Segmenter("en", { granularity: "grapheme" }) : null;
const characters = (text) => (segmenter ? Array.from(segmenter.segment(text), (part) => part.segment) : Array.from(text));

const emoji = /^\p{Emoji}/u;
const joined = /^[\p{Emoji}\ufe0f\u200d\u{e0020}-\u{e007f}]+$/u;
const flag = /^[\u{1f1e6}-\u{1f1ff}]{2}$/u;
const keycap = /^[0-9#*]\ufe0f?\u20e3$/u;

function isEmoji(character) {
  if (!emoji.test(character)) return false;
  if (flag.test(character) || keycap.test(character)) return true;
  if (character.codePointAt(0) < 128) return false;
  return joined.test(character) && (/^\p{Emoji_Presentation}/u.test(character) || Array.from(character).length > 1);
}

/** twitter-text, configuration v3: most letters of European scripts count 1, others 2, an emoji sequence 2. */
function weight(character) {
  if (isEmoji(character)) return 2;
  let sum = 0;
  for (const scalar of character) {
    const code = scalar.codePointAt(0);
    const isLight =
      code <= 4351 || (code >= 8192 && code <= 8205) || (code >= 8208 && code <= 8223) || (code >= 8242 && code <= 8247);
    sum += isLight ? 1 : 2;
  }
  return sum;
}

/** What a text counts on a network, whose links count `link` each. */
export function counted(text, network, link) {
  const isWeighted = network === "x";
  let links = 0;
  const rest = text.normalize("NFC").replace(isWeighted ? withoutScheme : withScheme, () => {
    links += 1;
    return "";
  });
  const weights = characters(rest);
  return links * link + (isWeighted ? weights.reduce((sum, one) => sum + weight(one), 0) : weights.length);
}

/** What is left of a limit when the tag and the clip's link stand behind the words. */
export function remaining(words, { network, most, link }, tag) {
  const clean = words.replace(/\s+/gu, " ").trim();
  const hasTag = clean.split(" ").some((part) => {
    const rest = part.toLowerCase().startsWith(tag.toLowerCase()) ? part.slice(tag.length) : null;
    return rest !== null && !/^[\p{Alphabetic}\p{N}\p{Mn}_]/u.test(rest);
  });
  const whole = hasTag ? clean : `${clean} ${tag}`.trim();
  // The line's end before the link counts as well.
  return most - counted(whole, network, link) - 1 - link;
}
