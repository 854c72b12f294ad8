import { ahead } from './ahead';
import { archive } from './archive';
import { backups } from './backups';
import { imports } from './import';
import { keeping } from './keeping';
import { keys } from './keys';
import { links } from './links';
import { look } from './look';
import { order } from './order';
import { reach } from './reach';
import { record } from './record';
import { rules } from './rules';
import { windowWords } from './window';

/**
 * English, and the measure for every other language: a key missing in a translation is a type error.
 * `{name}` is filled in; an object is a plural chosen by `count`.
 */
export const en = {
  ...ahead,
  ...archive,
  ...backups,
  ...imports,
  ...keeping,
  ...keys,
  ...links,
  ...look,
  ...order,
  ...reach,
  ...record,
  ...rules,
  ...windowWords,
} as const;
