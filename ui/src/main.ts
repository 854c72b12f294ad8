/** Starts the window: connects the core, applies the settings, and mounts the interface. */
import { mount } from 'svelte';
import './styles/fonts.css';
import './styles/tokens.css';
import './styles/base.css';
import './styles/scrollbars.css';
import App from './App.svelte';
import { listenToCore } from './lib/state/events';
import { start } from './lib/state/start';

const target = document.getElementById('app');
if (!target) throw new Error('index.html has no #app');

// For what WebKit does differently there.
if (navigator.userAgent.includes('Linux')) document.documentElement.dataset['platform'] = 'linux';

// Start at once: the core answers while the window is being built.
void start();
listenToCore();
mount(App, { target });
prepareFonts();

/** Lets the browser load its fonts and styles while the core answers, rather than for the first layout of the window. */
function prepareFonts(): void {
  const text = document.createElement('div');
  text.style.position = 'absolute';
  text.style.visibility = 'hidden';
  for (const weight of ['400', '600']) {
    const part = document.createElement('span');
    part.style.fontWeight = weight;
    part.textContent = 'Gleaner';
    text.append(part);
  }
  document.body.append(text);
  text.getBoundingClientRect();
  text.remove();
}
