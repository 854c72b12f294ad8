/** Menu to save articles in services, or to send them by e-mail. */
import BookmarkPlus from '@lucide/svelte/icons/bookmark-plus';
import Mail from '@lucide/svelte/icons/mail';
import { t } from '../../lib/messages';
import { dialogs } from '../../lib/state/dialogs.svelte';
import { sharing } from '../../lib/state/sharing.svelte';
import type { MenuItem } from '../shared/menu-item';

export function shareMenu(ids: () => readonly number[]): MenuItem[] {
  const { services } = sharing;
  const none: MenuItem = {
    label: t('key.share'),
    icon: BookmarkPlus,
    action: 'share',
    run: () => dialogs.show({ kind: 'settings', part: 'sharing' }),
  };
  const save = services.map((service): MenuItem => ({
    label: t('sharing.save', { name: service.name }),
    icon: BookmarkPlus,
    action: services.length === 1 ? 'share' : undefined,
    run: () => void sharing.save(service, ids()),
  }));
  return [
    ...(save.length > 0 ? save : [none]),
    { label: t('sharing.mail'), icon: Mail, run: () => void sharing.mail(ids()) },
  ];
}
