import type { en } from '../en';
import type { Part } from '../languages';

/** French. */
export const words: Part<'fr', typeof en> = {};
