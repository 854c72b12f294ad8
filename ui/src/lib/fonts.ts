/**
 * Calls `run` when the fonts of texts that were just measured have loaded, if some are loading: until then the texts are in other
 * fonts. WebKitGTK 2.50 fires no `loadingdone`. Returns a function that cancels the call.
 */
export function afterFonts(run: () => void, fonts: FontFaceSet | undefined = document.fonts): () => void {
  let cancelled = false;
  if (fonts?.status === 'loading')
    void fonts.ready.then(() => {
      if (!cancelled) run();
    });
  return () => (cancelled = true);
}
