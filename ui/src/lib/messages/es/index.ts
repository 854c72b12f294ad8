import type { en } from '../en';
import type { Part } from '../languages';

/** Spanish. */
export const words: Part<'es', typeof en> = {};
