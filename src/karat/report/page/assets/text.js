// Text from data becomes text nodes, never markup. Invisible characters and marks of writing direction are shown by code point.

const INVISIBLE =
  /(?<![\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Malayalam}\p{Script=Sinhala}])\u200c|(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Malayalam}\p{Script=Sinhala}])\u200d|[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e0fff}]/gu;
const ASCII = /^[\x00-\x7f]*$/;
const number = new Intl.NumberFormat("en-US");

function make(name, props = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (key === "class") element.className = value;
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

function showText(text) {
  const shown = document.createDocumentFragment();
  let from = 0;
  for (const found of text.matchAll(INVISIBLE)) {
    shown.append(text.slice(from, found.index));
    const code = `U+${found[0].codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
    shown.append(make("span", { class: "unseen", title: "an invisible character" }, code));
    from = found.index + found[0].length;
  }
  shown.append(text.slice(from));
  return shown;
}

// A text is a string, or [its beginning, the length of the whole].
const textOf = (text) => (Array.isArray(text) ? text[0] : text);

function showWhole(text) {
  const shown = make("div", { class: "text", dir: "auto" }, showText(textOf(text)));
  if (!Array.isArray(text)) return [shown];
  const told = `The first ${number.format(text[0].length)} of ${number.format(text[1])} characters.`;
  return [shown, make("p", { class: "cut" }, told)];
}

// Case, accents and invisible characters do not matter to a search.
function fold(text) {
  const lower = text.toLowerCase();
  if (ASCII.test(lower)) return lower;
  return lower.normalize("NFKD").replace(/[\p{M}\p{Cf}]/gu, "");
}
