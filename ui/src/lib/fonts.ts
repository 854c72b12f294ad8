/** The font of the interface, which is loaded in parts: WebKitGTK 2.50 fires no `loadingdone` for them. */
const FACE = '14px "Inter Variable"';

/** Calls a function when the parts of the font that a text needs have loaded. If they are loaded already, it is not called. */
export function afterFont(text: string, run: () => void, fonts: FontFaceSet | undefined = document.fonts): void {
  if (!fonts || fonts.check(FACE, text)) return;
  fonts.load(FACE, text).then(
    // Only once it makes a difference, so that measuring again ends.
    () => {
      if (fonts.check(FACE, text)) run();
    },
    (error: unknown) => console.warn('font', error),
  );
}
