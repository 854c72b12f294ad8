/** The menu of the columns of lists. */
import { ALL_COLUMNS, COLUMN_WIDTHS, moved, toggled, type SizedColumn } from '../../lib/list/columns';
import { currentLanguage, t } from '../../lib/messages';
import { settings } from '../../lib/state/settings.svelte';
import type { MenuHeading, MenuItem } from '../shared/menu-item';

/** Menu to show, hide and move the columns of lists; `column`: the one to move, if any. */
export function columnMenu(column: SizedColumn | null): (MenuItem | MenuHeading)[] {
  const { columns } = settings.value;
  const left = currentLanguage().direction === 'rtl' ? 1 : -1;
  const move = (step: 1 | -1, label: string): MenuItem => {
    const order = column === null ? null : moved(columns, column, step);
    return { label, disabled: order === null, run: () => order && settings.change({ columns: order }) };
  };
  return [
    { heading: t('columns.shown') },
    ...ALL_COLUMNS.map((one) => ({
      label: t(`column.${one}`),
      chosen: columns.includes(one),
      run: () => settings.change({ columns: toggled(columns, one) }),
    })),
    'line',
    ...(column === null
      ? []
      : [move(left, t('column.left')), move(left === 1 ? -1 : 1, t('column.right')), 'line' as const]),
    { label: t('typography.reset'), run: reset },
  ];
}

function reset(): void {
  const widths = Object.fromEntries(ALL_COLUMNS.map((column) => [column, COLUMN_WIDTHS[column].usual]));
  settings.change({ columns: [...ALL_COLUMNS], column_widths: { ...settings.value.column_widths, ...widths } });
}
