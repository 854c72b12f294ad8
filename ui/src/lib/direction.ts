/** Where lines run from right to left, what lies further on lies to the left. */
import { spoken } from './messages';

export const isRightToLeft = (): boolean => spoken().direction === 'rtl';

/** The arrow key that goes on along the line, and the one that goes back. */
export const forwardKey = (): string => (isRightToLeft() ? 'ArrowLeft' : 'ArrowRight');
export const backwardKey = (): string => (isRightToLeft() ? 'ArrowRight' : 'ArrowLeft');
