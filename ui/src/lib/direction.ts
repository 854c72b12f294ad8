/** Helpers for right-to-left layouts, where forward is to the left. */
import { currentLanguage } from './messages';

export const isRightToLeft = (): boolean => currentLanguage().direction === 'rtl';

/** Arrow keys for moving forward and backward along the line. */
export const forwardKey = (): string => (isRightToLeft() ? 'ArrowLeft' : 'ArrowRight');
export const backwardKey = (): string => (isRightToLeft() ? 'ArrowRight' : 'ArrowLeft');
