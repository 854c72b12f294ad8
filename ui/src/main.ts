import { mount } from 'svelte';
import './styles/fonts.css';
import './styles/tokens.css';
import './styles/base.css';
import App from './App.svelte';
import { follow } from './lib/state/events';
import { start } from './lib/state/start';

const target = document.getElementById('app');
if (!target) throw new Error('index.html has no #app');

// The core answers while the window is made.
void start();
follow();
mount(App, { target });
