/** Waits for a library that another program uses. */
import { asIpcError, call } from '../ipc';

/** Milliseconds from one look to the next. */
const LOOK_EVERY = 1500;

/** Calls `open` once the library can be opened, or for another reason cannot. Returns a function that ends the waiting. */
export function whenFree(open: () => Promise<unknown>): () => void {
  let ended = false;
  let timer: ReturnType<typeof setTimeout>;

  // Only one request, since several would each fail.
  const isFree = () =>
    call('settings').then(
      () => true,
      (error: unknown) => asIpcError(error).code !== 'library_in_use',
    );

  async function look(): Promise<void> {
    if ((await isFree()) && !ended) await open();
    // Another program may have come first.
    if (!ended) wait();
  }

  function wait(): void {
    timer = setTimeout(() => void look(), LOOK_EVERY);
  }

  wait();
  return () => {
    ended = true;
    clearTimeout(timer);
  };
}
