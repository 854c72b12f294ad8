import type { en } from '../en';
import type { Part } from '../languages';

/** Arabic. */
export const words: Part<'ar', typeof en> = {};
