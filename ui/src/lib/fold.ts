/** Removes case, accents and diacritics, and has the quotation marks and dashes of keyboards: "Ü" is found by "u", "’" by "'". */
export const fold = (text: string): string =>
  text
    .replace(/[“”„«»″]/g, '"')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[‘’‚‛ʼ′]/g, "'")
    .replace(/[‐-―−]/g, '-')
    .toLocaleLowerCase();
