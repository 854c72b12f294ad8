import { mount } from 'svelte';
import './styles/fonts.css';
import './styles/tokens.css';
import './styles/base.css';
import App from './App.svelte';
import { listenToCore } from './lib/state/events';
import { start } from './lib/state/start';

const target = document.getElementById('app');
if (!target) throw new Error('index.html has no #app');

// Start at once: the core answers while the window is being built.
void start();
listenToCore();
mount(App, { target });
