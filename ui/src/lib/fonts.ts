/** Maximum number of frames to wait for fonts: more than files on this computer take. */
const MOST_FRAMES = 600;

/**
 * Calls `run` when the fonts of texts that were just measured have loaded, if some are loading: until then the texts are in other
 * fonts. Returns a function that cancels the call.
 *
 * WebKitGTK 2.50 fires no `loadingdone`, and `ready` stays resolved when further fonts load. So the status is read once a frame: in a
 * chain of promises the fonts would never load.
 */
export function afterFonts(run: () => void, fonts: FontFaceSet | undefined = document.fonts): () => void {
  let left = MOST_FRAMES;
  const check = (): void => {
    if (left <= 0) return;
    left -= 1;
    if (fonts?.status === 'loading') requestAnimationFrame(check);
    else run();
  };
  if (fonts?.status === 'loading') requestAnimationFrame(check);
  return () => (left = 0);
}
