/** Titles of the settings sections. */
import type { SettingsPart } from '../state/dialogs.svelte';
import { t, type PlainKey } from './index';

const NAMES: Record<SettingsPart, PlainKey> = {
  appearance: 'settings.appearance',
  article: 'typography.title',
  reading: 'settings.reading',
  feeds: 'settings.feeds',
  rules: 'rules.title',
  ahead: 'offline.title',
  keeping: 'retention.title',
  backups: 'backups.title',
};

export const settingsSectionText = (part: SettingsPart): string => t(NAMES[part]);
