/** Starts the window: connects the core, applies the settings, and mounts the interface. */
import { mount } from 'svelte';
import './styles/fonts.css';
import './styles/tokens.css';
import './styles/base.css';
import './styles/scrollbars.css';
import App from './App.svelte';
import { listenToCore } from './lib/state/events';
import { layout } from './lib/state/layout.svelte';
import { start } from './lib/state/start';

const target = document.getElementById('app');
if (!target) throw new Error('index.html has no #app');

// For style rules where WebKit differs on this system.
if (navigator.userAgent.includes('Linux')) document.documentElement.dataset['platform'] = 'linux';

layout.drawn = false;
// Start at once: the core answers while the window is being built.
void start();
listenToCore();
// After the first list is requested, which is answered meanwhile.
setTimeout(() => mount(App, { target }));
// The first layout has its font already, and does not look for others on the computer.
document.fonts.load('1em "Inter Variable"').catch((error: unknown) => console.warn('font', error));
