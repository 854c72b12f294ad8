import type { en } from '../en';
import type { Part } from '../languages';

/** German. */
export const words: Part<'de', typeof en> = {};
