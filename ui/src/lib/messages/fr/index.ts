import type { en } from '../en';
import type { Part } from '../languages';
import { ahead } from './ahead';
import { archive } from './archive';
import { backups } from './backups';
import { imports } from './import';
import { inspect } from './inspect';
import { keeping } from './keeping';
import { keys } from './keys';
import { links } from './links';
import { list } from './list';
import { look } from './look';
import { media } from './media';
import { notes } from './notes';
import { order } from './order';
import { page } from './page';
import { preferences } from './preferences';
import { reach } from './reach';
import { record } from './record';
import { rules } from './rules';
import { searching } from './search';
import { statistics } from './statistics';
import { tree } from './tree';
import { windowWords } from './window';

/** French. */
export const words: Part<'fr', typeof en> = {
  ...ahead,
  ...archive,
  ...backups,
  ...imports,
  ...inspect,
  ...keeping,
  ...keys,
  ...links,
  ...list,
  ...look,
  ...media,
  ...notes,
  ...order,
  ...page,
  ...preferences,
  ...reach,
  ...record,
  ...rules,
  ...searching,
  ...statistics,
  ...tree,
  ...windowWords,
};
