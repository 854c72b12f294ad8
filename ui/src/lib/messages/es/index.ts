import type { en } from '../en';
import type { Part } from '../languages';
import { ahead } from './ahead';
import { archive } from './archive';
import { backups } from './backups';
import { imports } from './import';
import { keeping } from './keeping';
import { keys } from './keys';
import { look } from './look';
import { order } from './order';
import { reach } from './reach';
import { record } from './record';
import { rules } from './rules';
import { searching } from './search';
import { windowWords } from './window';

/** Spanish. */
export const words: Part<'es', typeof en> = {
  ...ahead,
  ...archive,
  ...backups,
  ...imports,
  ...keeping,
  ...keys,
  ...look,
  ...order,
  ...reach,
  ...record,
  ...rules,
  ...searching,
  ...windowWords,
};
