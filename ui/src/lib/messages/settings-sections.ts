/** Titles of the settings sections, and what each contains. */
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

/** Labels of the settings in the sections, by which the command palette finds them. */
const LABELS: Record<SettingsPart, readonly PlainKey[]> = {
  appearance: ['settings.theme', 'settings.density', 'settings.language', 'settings.text_size', 'settings.sections'],
  article: [
    'typography.font',
    'typography.size',
    'typography.line_length',
    'typography.line_height',
    'typography.hyphenation',
    'typography.css',
  ],
  reading: [
    'settings.unread_only',
    'settings.oldest_first',
    'settings.load_images',
    'full_text.when',
    'settings.thumbnails',
    'settings.read_on_scroll',
    'settings.combine_duplicates',
    'settings.hide_future',
  ],
  feeds: [
    'settings.refresh_automatically',
    'refresh_interval.label',
    'offline.feed.show_full_text',
    'prefs.notify',
    'quiet_hours.label',
    'settings.feed_icons',
  ],
  background: ['background.on_close', 'background.login'],
  accounts: ['accounts.add'],
  sharing: ['sharing.add'],
  rules: ['rules.open'],
  offline: [
    'offline.starred.text',
    'offline.starred.images',
    'offline.all.text',
    'offline.all.images',
    'offline.paused',
    'offline.storage_limit',
    'offline.max_image_size',
    'downloads.limit',
    'downloads.expire',
  ],
  retention: ['settings.article_history', 'retention.how', 'retention.unread'],
  backups: ['backups.now', 'backups.open_folder', 'backups.recover'],
};

export const settingLabels = (part: SettingsPart): string[] => LABELS[part].map((key) => t(key));
