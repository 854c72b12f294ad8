/// <reference types="svelte" />
/// <reference types="vite/client" />

/** Whether the window talks to the core behind HTTP when it runs in a browser (see vite.config.ts). */
declare const __DEV_HOST__: boolean;
