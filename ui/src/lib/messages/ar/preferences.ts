import type { preferences as english } from '../en/preferences';
import type { Part } from '../languages';

/** Arabic for what is wished of a feed or folder. Part of `words`. */
export const preferences: Part<'ar', typeof english> = {
  'prefs.title': 'إعدادات {title}',
  'prefs.menu': 'الإعدادات…',
  'prefs.hint': 'ما لم يُضبط هنا فهو كما في المجلد أو كما في جميع الخلاصات.',
  'prefs.asking': 'التحديث',
  'prefs.images': 'الصور من الويب',
  'prefs.images.show': 'تُعرض',
  'prefs.images.hide': 'لا تُعرض',
  'prefs.images.done': 'تُعرض صور {title}',
  'prefs.yes': 'نعم',
  'prefs.no': 'لا',
  'prefs.notify': 'الإشعار بالمقالات الجديدة على سطح المكتب',
  'prefs.notify.hint': 'إشعار واحد عند كل تحديث، بأحدث العناوين. ما تعلّمه قاعدة مقروءًا أو تخفيه لا يُشعَر به.',
  'key.preferences': 'إعدادات خلاصة أو مجلد',
  'article.always_pictures_feed': 'دائمًا لهذه الخلاصة',
};
