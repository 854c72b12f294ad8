import type { page as english } from '../en/page';
import type { Part } from '../languages';

/** Arabic for the page of an article: pictures shown large, notes that pop up, finding, copying, reading aloud. Part of `words`. */
export const page: Part<'ar', typeof english> = {
  'key.browser_behind': 'فتح في المتصفح والبقاء هنا',
  'key.copy_titled_link': 'نسخ الرابط مع العنوان',
  'key.copy_markdown': 'نسخ بصيغة Markdown',
  'key.zoom': 'تكبير صورة',
  'key.find': 'البحث في المقالة',
  'key.find_next': 'النتيجة التالية في المقالة',
  'key.find_previous': 'النتيجة السابقة في المقالة',
  'key.read_aloud': 'القراءة بصوت مسموع أو إيقافها',

  'page.box': 'جزء عريض يُمرَّر أفقيًا',
  'page.note': 'الحاشية {sign}',
  'page.note.go': 'الانتقال إلى الحاشية',

  'page.zoom': 'عرض الصورة مكبَّرة',
  'page.zoom.named': 'عرض مكبَّر: {alt}',
  'zoom.title': 'صورة',
  'zoom.place': 'الصورة {place} من {count}',
  'zoom.previous': 'الصورة السابقة',
  'zoom.next': 'الصورة التالية',
  'zoom.in': 'تكبير',
  'zoom.out': 'تصغير',
  'zoom.fit': 'ملاءمة النافذة',
  'zoom.full': 'الحجم الأصلي',
  'zoom.percent': '{percent}٪',
  'zoom.failed': 'تعذّر تحميل هذه الصورة.',
  'zoom.none': 'لا صورة في هذه المقالة لعرضها مكبَّرة',

  'find.bar': 'البحث في المقالة',
  'find.field': 'البحث في المقالة',
  'find.next': 'النتيجة التالية',
  'find.previous': 'النتيجة السابقة',
  'find.close': 'إنهاء البحث',
  'find.none': 'لم يُعثر عليه',
  'find.place': '{place} من {count}',
  'find.place.more': '{place} من أكثر من {count}',

  'copy.markdown.done': 'المقالة في الحافظة بصيغة Markdown',
  'copy.markdown.failed': 'تعذّر نسخ المقالة',

  'aloud.pause': 'إيقاف مؤقت',
  'aloud.resume': 'متابعة',
  'aloud.stop': 'إيقاف',
  'aloud.bar': 'القراءة بصوت مسموع',
};
