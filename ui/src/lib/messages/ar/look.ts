import type { look as english } from '../en/look';
import type { Part } from '../languages';

/** Arabic for how articles are set. Part of `words`. */
export const look: Part<'ar', typeof english> = {
  'look.title': 'مظهر المقالات',
  'look.font': 'الخط',
  'look.font.serif': 'Source Serif',
  'look.font.sans': 'Inter',
  'look.font.system': 'خط النظام',
  'look.size': 'الحجم',
  'look.width': 'طول السطر',
  'look.width.value': {
    zero: '{count} حرف',
    one: 'حرف واحد',
    two: 'حرفان',
    few: '{count} أحرف',
    many: '{count} حرفًا',
    other: '{count} حرف',
  },
  'look.leading': 'المسافة بين الأسطر',
  'look.less': '{what}: أقل',
  'look.more': '{what}: أكثر',
  'look.hyphens': 'تقسيم الكلمات',
  'look.hyphens.hint': 'حيث تذكر المقالة لغتها.',
  'look.css': 'ورقة أنماط خاصة',
  'look.css.hint': '‏CSS لصفحات المقالات، فوق أنماط Gleaner. يظهر ما يُكتب فورًا؛ ويُهمل ما يتصل بخادم.',
  'look.reset': 'كل شيء كما كان',
  'look.reset.done': 'عاد مظهر المقالات كما كان',
};
