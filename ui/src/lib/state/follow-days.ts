/** Updates dates and counts when a day begins. */
import { today } from '../messages/today.svelte';
import { library } from './library.svelte';

const EVERY = 60_000;

/** Looks for a new day while the window is visible, and at once when it becomes visible. Returns a function that stops that. */
export function followDays(): () => void {
  let timer: ReturnType<typeof setInterval> | undefined;
  const look = () => {
    // The articles of today are others now.
    if (today.update() && library.status === 'ready') void library.loadCounts();
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
