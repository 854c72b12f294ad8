/** Calls a function after the next frame is painted. Returns a number for `cancelAnimationFrame`. */
export const afterFrame = (run: () => void): number => requestAnimationFrame(() => setTimeout(run));
