/// <reference types="svelte" />
/// <reference types="vite/client" />

/** True where the in-memory library may stand in for the core (see vite.config.ts). */
declare const __FAKE__: boolean;
