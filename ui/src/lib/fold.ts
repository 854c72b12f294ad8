/** Removes case, accents and diacritics, and replaces typographic quotation marks and dashes: "Ü" is found by "u", "’" by "'". */
export const fold = (text: string): string =>
  text
    .replace(/[“”„«»″]/g, '"')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[‘’‚‛ʼ′]/g, "'")
    .replace(/[‐-―−]/g, '-')
    .toLocaleLowerCase();
