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
import { tree } from './tree';
import { statistics } from './statistics';
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
  ...tree,
  ...statistics,
  ...windowWords,
} as const;

type Plural = Partial<Record<Intl.LDMLPluralRule, string>> & { readonly other: string };
export type Message = string | Plural;
export type MessageKey = keyof typeof en;
/** What a window speaks from. */
export type Catalogue = Readonly<Record<MessageKey, Message>>;
