/** Shows what other programs, such as `glean`, change in the library. */
import { call } from '../ipc';
import { library } from './library.svelte';

const EVERY = 2_000;

/** Looks for changes while the window is visible, and at once when it becomes visible. Returns a function that stops that. */
export function noticeChanges(): () => void {
  let timer: ReturnType<typeof setInterval> | undefined;
  let looking = false;
  const look = async () => {
    // The core may be busy for longer than until the next time.
    if (looking || library.status !== 'ready') return;
    looking = true;
    try {
      await call('notice_changes');
    } catch (error) {
      console.warn('notice_changes', error);
    } finally {
      looking = false;
    }
  };
  const update = () => {
    clearInterval(timer);
    if (document.hidden) return;
    void look();
    timer = setInterval(() => void look(), EVERY);
  };
  document.addEventListener('visibilitychange', update);
  update();
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', update);
  };
}
