/** Ends the program. */
import { call } from '../ipc';
import { toasts } from './toasts.svelte';

export function quit(): void {
  call('answer_close', { answer: 'quit_once' }).catch((error: unknown) => toasts.error(error));
}
