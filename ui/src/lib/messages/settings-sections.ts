/** Titles of the settings sections. */
import type { SettingsPart } from '../state/dialogs.svelte';
import { t, type PlainKey } from './index';

const NAMES: Record<SettingsPart, PlainKey> = {
  appearance: 'settings.appearance',
  article: 'typography.title',
  reading: 'settings.reading',
  feeds: 'settings.feeds',
  background: 'background.title',
  accounts: 'accounts.title',
  sharing: 'sharing.title',
  rules: 'rules.title',
  offline: 'offline.title',
  retention: 'retention.title',
  backups: 'backups.title',
};

export const settingsSectionText = (part: SettingsPart): string => t(NAMES[part]);
