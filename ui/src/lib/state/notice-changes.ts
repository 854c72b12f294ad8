/** Shows what other programs, such as `glean`, change in the library. */
import { call } from '../ipc';
import { library } from './library.svelte';

const EVERY = 2_000;

/** Looks for changes while the window is visible, and at once when it becomes visible. Returns a function that stops that. */
export function noticeChanges(): () => void {
  let timer: ReturnType<typeof setInterval> | undefined;
  const look = () => {
    if (library.status === 'ready')
      call('notice_changes').catch((error: unknown) => console.warn('notice_changes', error));
  };
  const update = () => {
    clearInterval(timer);
    if (document.hidden) return;
    look();
    timer = setInterval(look, EVERY);
  };
  document.addEventListener('visibilitychange', update);
  update();
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', update);
  };
}
