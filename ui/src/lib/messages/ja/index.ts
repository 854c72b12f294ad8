import type { en } from '../en';
import type { Part } from '../languages';

/** Japanese. */
export const words: Part<'ja', typeof en> = {};
