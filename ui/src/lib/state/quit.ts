/** Ends the program. */
import { call, type CloseAnswer } from '../ipc';
import { storeAll } from './leaving';
import { toasts } from './toasts.svelte';

/** Answers what closing the window does. Before Gleaner quits, it stores what was changed last. */
export async function answerClose(answer: CloseAnswer): Promise<void> {
  try {
    if (answer === 'quit' || answer === 'quit_once') await storeAll();
    await call('answer_close', { answer });
  } catch (error) {
    toasts.error(error);
  }
}

export const quit = (): void => void answerClose('quit_once');
