/** Calls a function after the next frame is painted. Returns a number for `cancelAnimationFrame`. */
export const afterFrame = (run: () => void): number => requestAnimationFrame(() => setTimeout(run));

/** Resolves after the next frame is painted. A menu that is closed before is gone then, and can be opened at another place. */
export const nextFrame = (): Promise<void> => new Promise((done) => afterFrame(done));
