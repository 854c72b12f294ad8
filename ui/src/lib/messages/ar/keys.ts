import type { keys as english } from '../en/keys';
import type { Part } from '../languages';

/** Arabic for keys, their presets, and the command palette. Part of `words`. */
export const keys: Part<'ar', typeof english> = {
  'key.first': 'أول مقالة',
  'key.last': 'آخر مقالة',
  'key.copy_link': 'نسخ الرابط',
  'key.next_feed': 'الخلاصة التالية',
  'key.previous_feed': 'الخلاصة السابقة',
  'key.palette': 'تنفيذ أي شيء أو العثور عليه',

  'palette.field': 'إجراء أو خلاصة أو مجلد أو وسم…',
  'palette.offers': 'ما يمكن فعله',
  'palette.feed': 'خلاصة',
  'palette.folder': 'مجلد',
  'palette.tag': 'وسم',
  'palette.search': 'بحث محفوظ',
  'palette.search_for': 'البحث عن «{query}»',

  'keys.preset': 'المفاتيح كما في',
  'keys.preset.gleaner': 'Gleaner',
  'keys.preset.vim': 'Vim وnewsboat',
  'keys.preset.net_news_wire': 'NetNewsWire',
  'keys.preset.reader': 'Feedly وGoogle Reader',
  'keys.preset.done': 'المفاتيح الآن كما في {preset}؛ زالت التغييرات الخاصة',
  'keys.reset': 'التراجع عن التغييرات الخاصة',
  'keys.reset.done': 'عادت جميع المفاتيح كما في {preset}',
  'keys.none': 'بلا مفتاح',
  'keys.change': 'تغيير مفاتيح «{name}»',
  'keys.changing': 'مفاتيح «{name}»',
  'keys.press': 'الضغط على المفاتيح الجديدة',
  'keys.pressed': '‏Enter يضيفها، وBackspace يبدأ من جديد، وEsc للخروج.',
  'keys.clash': 'حتى الآن: {name}، وستُنزع منه.',
  'keys.remove': 'إزالة {keys}',
  'keys.fixed': '‏{keys} يعني دائمًا «{name}». يمكن اختيار غيره.',
  'keys.plain': 'هذا المفتاح يُستخدم في الكتابة: يلزمه Ctrl أو Alt.',
  'keys.add': 'إضافة',
  'keys.own': 'مُغيَّر',
};
