/** Words for the sections of the settings. */
import type { SettingsPart } from '../state/dialogs.svelte';
import { t, type PlainKey } from './index';

const NAMES: Record<SettingsPart, PlainKey> = {
  appearance: 'settings.appearance',
  article: 'look.title',
  reading: 'settings.reading',
  feeds: 'settings.feeds',
  rules: 'rules.title',
  ahead: 'ahead.title',
  keeping: 'keep.title',
  backups: 'backups.title',
};

export const settingsPartText = (part: SettingsPart): string => t(NAMES[part]);
