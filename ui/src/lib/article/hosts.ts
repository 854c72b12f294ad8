/**
 * Host names for display: in their own letters if these cannot be confused with others, else in Punycode (`xn--…`).
 * The rule is that of browsers: letters of one script, or of the scripts that Japanese, Chinese and Korean combine.
 */

/** Decodes a label in Punycode (RFC 3492), without its `xn--` prefix; returns `null` if it is invalid. */
export function decodePunycode(label: string): string | null {
  const [base, first, last, skew, damp] = [36, 1, 26, 38, 700];
  const cut = label.lastIndexOf('-');
  const out = cut > 0 ? [...label.slice(0, cut)].map((c) => c.codePointAt(0) as number) : [];
  let [code, at, bias] = [128, 0, 72];
  for (let read = cut > 0 ? cut + 1 : 0; read < label.length;) {
    const before = at;
    for (let weight = 1, k = base; ; k += base) {
      const digit = '0123456789'.includes(label[read] ?? '-')
        ? Number(label[read]) + 26
        : 'abcdefghijklmnopqrstuvwxyz'.indexOf((label[read] ?? '-').toLowerCase());
      if (digit < 0) return null;
      read += 1;
      at += digit * weight;
      const least = k <= bias ? first : k >= bias + last ? last : k - bias;
      if (digit < least) break;
      weight *= base - least;
      if (weight > 0x7fffffff) return null;
    }
    let delta = before === 0 ? Math.floor((at - before) / damp) : (at - before) >> 1;
    delta += Math.floor(delta / (out.length + 1));
    let k = 0;
    for (; delta > ((base - first) * last) >> 1; k += base) delta = Math.floor(delta / (base - first));
    bias = k + Math.floor(((base - first + 1) * delta) / (delta + skew));
    code += Math.floor(at / (out.length + 1));
    at %= out.length + 1;
    if (code > 0x10ffff) return null;
    out.splice(at, 0, code);
    at += 1;
  }
  return String.fromCodePoint(...out);
}

/** Scripts that may be combined, besides digits and hyphens. */
const TOGETHER = [
  // Only Latin letters of living languages: phonetic and historic ones, and the dotless i, look like others.
  /^[a-z0-9ß-öø-İĳ-ķĹ-ňŊ-žƠơƯưșțẠ-ỹ-]+$/iu,
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々〆a-z0-9-]+$/iu,
  /^[\p{Script=Han}\p{Script=Bopomofo}a-z0-9-]+$/iu,
  /^[\p{Script=Han}\p{Script=Hangul}a-z0-9-]+$/iu,
  ...[
    'Arabic',
    'Armenian',
    'Bengali',
    'Cyrillic',
    'Devanagari',
    'Ethiopic',
    'Georgian',
    'Greek',
    'Gujarati',
    'Gurmukhi',
  ].map(only),
  ...['Hebrew', 'Kannada', 'Khmer', 'Lao', 'Malayalam', 'Myanmar', 'Oriya', 'Sinhala', 'Tamil', 'Telugu', 'Thai'].map(
    only,
  ),
];

function only(script: string): RegExp {
  return new RegExp(`^[\\p{Script=${script}}0-9-]+$`, 'u');
}

/** Letters of Cyrillic, Greek and Armenian that look like Latin ones: a label of only these is not shown decoded. */
const LATIN_LOOK = /^[аАвВеЕкКмМнНоОрРсСтТуУхХгѕіїјһӏԁԛԝүѵѡбчьпαικνορυχωηγοցհոսօքզա0-9-]+$/u;

/** Han or kana strokes next to Latin letters, where they look like the slash or dot that ends a host. */
const STROKE = /[a-z0-9-][ノンソゾ丶丿一〆ー二ニエ〇]|[ノンソゾ丶丿一〆二ニエ〇][a-z0-9-]/iu;

function isPlain(label: string, top: string): boolean {
  if (!TOGETHER.some((letters) => letters.test(label)) || /[ı]/u.test(label) || STROKE.test(label)) return false;
  return !LATIN_LOOK.test(label) || /^[0-9-]+$/.test(label) || !/^[a-z0-9-]+$/.test(top);
}

/**
 * Returns a host, as given by `URL`, for display. `wire` means that it is shown in Punycode because its letters are
 * confusable.
 */
export function shownHost(host: string): { readonly text: string; readonly wire: boolean } {
  if (!host.includes('xn--')) return { text: host, wire: false };
  const labels = host.split('.').map((label) => (label.startsWith('xn--') ? decodePunycode(label.slice(4)) : label));
  const top = labels.at(-1) ?? '';
  const plain = labels.every((label) => label !== null && (label === '' || isPlain(label, top ?? '')));
  return plain ? { text: labels.join('.'), wire: false } : { text: host, wire: true };
}
