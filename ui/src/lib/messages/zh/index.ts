import type { en } from '../en';
import type { Part } from '../languages';

/** Chinese in simplified letters. */
export const words: Part<'zh', typeof en> = {};
